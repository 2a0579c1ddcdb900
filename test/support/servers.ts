import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import { MariadbServer } from './servers/mariadb.ts';
import { PostgresServer } from './servers/postgres.ts';
import { RedisServer } from './servers/redis.ts';

interface Lifecycle {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The servers a test run shares. Each is private, started at the first call that asks for it and stopped after the last
 * test; a `COMPLETIOND_TEST_…_URL` in the environment replaces it, and then only the databases made here are removed.
 */
export class Servers {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #started = new Map<string, Promise<Lifecycle>>();
  readonly #borrowed: (() => Promise<void>)[] = [];

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** The one Redis of the run; each test uses a key prefix of its own. */
  async redisUrl(): Promise<string> {
    return this.#environment.COMPLETIOND_TEST_REDIS_URL || this.#private('redis', () => new RedisServer());
  }

  /** A fresh, empty database on the run's PostgreSQL. */
  async postgresUrl(): Promise<string> {
    const given = this.#environment.COMPLETIOND_TEST_POSTGRES_URL;
    const server = given || (await this.#private('postgres', () => new PostgresServer()));
    const name = databaseName();
    await onPostgres(server, `create database ${name}`);
    if (given) this.#borrowed.push(() => onPostgres(given, `drop database if exists ${name} with (force)`));
    return withDatabase(server, name);
  }

  /** A fresh, empty database on the run's MariaDB, or on the MySQL that replaces it. */
  async mysqlUrl(): Promise<string> {
    const given = this.#environment.COMPLETIOND_TEST_MYSQL_URL;
    const server = given || (await this.#private('mariadb', () => new MariadbServer()));
    const name = databaseName();
    await onMysql(server, `create database ${name}`);
    if (given) this.#borrowed.push(() => onMysql(given, `drop database if exists ${name}`));
    return withDatabase(server, name);
  }

  /** Stops what was started and drops what was made on servers that were given. */
  async stop(): Promise<void> {
    const endings = [...this.#started.values()].map(async server => (await server).stop());
    const drops = this.#borrowed.splice(0).map(async drop => drop());
    this.#started.clear();
    const results = await Promise.allSettled([...endings, ...drops]);
    const failures = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []));
    if (failures.length > 0) throw new AggregateError(failures, 'servers were not stopped in good order');
  }

  async #private(name: string, create: () => Lifecycle): Promise<string> {
    let starting = this.#started.get(name);
    if (starting === undefined) {
      starting = started(create());
      this.#started.set(name, starting);
    }
    return (await starting).url;
  }
}

/** The servers of this process's test run. */
export const servers = new Servers(process.env);

async function started(server: Lifecycle): Promise<Lifecycle> {
  await server.start();
  return server;
}

function databaseName(): string {
  return `test_${randomBytes(8).toString('hex')}`;
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function onPostgres(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function onMysql(uri: string, sql: string): Promise<void> {
  const connection = await createConnection(uri);
  try {
    await connection.query(sql);
  } finally {
    await connection.end();
  }
}
