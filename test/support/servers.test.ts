import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import { MariadbServer } from './servers/mariadb.ts';
import { PostgresServer } from './servers/postgres.ts';
import { RedisServer } from './servers/redis.ts';
import { Servers, servers } from './servers.ts';

async function redisAnswer(url: string, ...[command, ...args]: [string, ...string[]]): Promise<unknown> {
  const redis = new Redis(url);
  try {
    return await redis.call(command, ...args);
  } finally {
    redis.disconnect();
  }
}

async function postgresRows(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function mysqlRows(url: string, sql: string): Promise<unknown> {
  const connection = await createConnection(url);
  try {
    return (await connection.query(sql))[0];
  } finally {
    await connection.end();
  }
}

describe('the servers of a test run', function () {
  this.timeout(60_000);

  it('share one Redis', async () => {
    assert.equal(await servers.redisUrl(), await servers.redisUrl());
    assert.equal(await redisAnswer(await servers.redisUrl(), 'ping'), 'PONG');
  });

  it('give each caller an empty PostgreSQL database, with counters of statements', async () => {
    const [one, other] = await Promise.all([servers.postgresUrl(), servers.postgresUrl()]);
    await postgresRows(one, 'create table t (a int); create extension pg_stat_statements');
    const tables = "select table_name from information_schema.tables where table_schema = 'public'";
    assert.deepEqual(await postgresRows(other, tables), []);
    const counted = `select query from pg_stat_statements join pg_database on dbid = pg_database.oid
      where datname = current_database() and query like 'create table%'`;
    assert.equal((await postgresRows(one, counted)).length, 1);
  });

  it('give each caller an empty MariaDB database', async () => {
    const [one, other] = await Promise.all([servers.mysqlUrl(), servers.mysqlUrl()]);
    await mysqlRows(one, 'create table t (a int)');
    assert.deepEqual(await mysqlRows(other, 'show tables'), []);
  });

  it('are replaced by the URLs of the environment, where only their databases come and go', async () => {
    const [redis, postgres, mysql] = [
      await servers.redisUrl(),
      await servers.postgresUrl(),
      await servers.mysqlUrl(),
    ] as const;
    const given = new Servers({
      COMPLETIOND_TEST_REDIS_URL: redis,
      COMPLETIOND_TEST_POSTGRES_URL: postgres,
      COMPLETIOND_TEST_MYSQL_URL: mysql,
    });
    assert.equal(await given.redisUrl(), redis);
    const urls = [new URL(await given.postgresUrl()), new URL(await given.mysqlUrl())] as const;
    assert.deepEqual(
      urls.map(url => url.host),
      [new URL(postgres).host, new URL(mysql).host],
    );
    await given.stop();
    await assert.rejects(postgresRows(urls[0].href, 'select 1'), { code: '3D000' });
    await assert.rejects(mysqlRows(urls[1].href, 'select 1'), { code: 'ER_BAD_DB_ERROR' });
    assert.deepEqual(await postgresRows(postgres, 'select 1 as a'), [{ a: 1 }]);
  });
});

describe('a private server that is killed', function () {
  this.timeout(60_000);

  it('comes back with its keys when it is a Redis that appends, and empty when not', async () => {
    for (const appendonly of [true, false]) {
      const server = new RedisServer({ appendonly });
      await server.start();
      const { url } = server;
      await redisAnswer(url, 'set', 'key', 'kept');
      await server.kill();
      await server.start();
      assert.equal(server.url, url);
      assert.equal(await redisAnswer(url, 'get', 'key'), appendonly ? 'kept' : null);
      await server.stop();
    }
  });

  it('comes back at once with its rows when it is a PostgreSQL with a busy backend', async () => {
    const server = new PostgresServer();
    await server.start();
    await postgresRows(server.url, 'create table t as select 7 as a');
    const busy = postgresRows(server.url, 'select count(*) from generate_series(1, 1000000000)');
    const lost = assert.rejects(busy);
    await new Promise(resolve => setTimeout(resolve, 200));
    await server.kill();
    await lost;
    await server.restart();
    assert.deepEqual(await postgresRows(server.url, 'select a from t'), [{ a: 7 }]);
    await server.stop();
  });

  it('comes back with its rows when it is a MariaDB', async () => {
    const server = new MariadbServer();
    await server.start();
    await mysqlRows(server.url, 'create database d');
    await mysqlRows(`${server.url}/d`, 'create table t as select 7 as a');
    await server.kill();
    await server.restart();
    assert.deepEqual(await mysqlRows(`${server.url}/d`, 'select a from t'), [{ a: 7 }]);
    await server.stop();
  });
});
