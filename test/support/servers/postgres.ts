import { chownSync, mkdirSync } from 'node:fs';
import { Client } from 'pg';
import { ChildServer } from './child-server.ts';
import { binaryPath } from './install.ts';
import { runProgram } from './run-program.ts';
import { serverUser } from './server-user.ts';
import { temporaryPath } from './temporary-folder.ts';

/** A private PostgreSQL on a free port of the loopback address, with pg_stat_statements and 200 connections. */
export class PostgresServer {
  readonly #server: ChildServer;
  readonly #data = temporaryPath('pg');
  readonly #user = serverUser('postgres');
  #initialized = false;

  constructor() {
    this.#server = new ChildServer({
      name: 'postgres',
      binary: binaryPath('postgres'),
      user: this.#user,
      stopSignal: 'SIGINT',
      args: port => [
        ...['-D', this.#data, '-p', `${port}`, '-c', 'listen_addresses=127.0.0.1'],
        ...['-c', `unix_socket_directories=${this.#data}`, '-c', 'dynamic_shared_memory_type=mmap'],
        ...['-c', 'shared_preload_libraries=pg_stat_statements', '-c', 'max_connections=200'],
      ],
      ping: async port => {
        const client = new Client({ connectionString: urlOf(port), connectionTimeoutMillis: 2_000 });
        client.on('error', () => undefined);
        try {
          await client.connect();
        } finally {
          await client.end();
        }
      },
    });
  }

  /** `postgres://postgres@127.0.0.1:PORT/postgres`, a superuser without a password; the same over restarts. */
  get url(): string {
    return urlOf(this.#server.port);
  }

  /** Makes the cluster at the first call; resolves when the server takes connections. */
  async start(): Promise<void> {
    if (!this.#initialized) await this.#initialize();
    this.#initialized = true;
    await this.#server.start();
  }

  /** Ends it in good order and its clients with it: a fast shutdown. */
  async stop(): Promise<void> {
    await this.#server.stop();
  }

  /** SIGKILL for the server and its backends, which would otherwise outlive it and keep it from starting again. */
  async kill(): Promise<void> {
    await this.#server.kill();
  }

  /** Lets it hear and say nothing: its connections stay, and nobody answers. */
  suspend(): void {
    this.#server.suspend();
  }

  /** The end of `suspend`. */
  resume(): void {
    this.#server.resume();
  }

  /** Stops it if it runs, and starts it on the same port and data. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async #initialize(): Promise<void> {
    mkdirSync(this.#data, { mode: 0o700 });
    if (this.#user !== undefined) chownSync(this.#data, this.#user.uid, this.#user.gid);
    const args = ['-D', this.#data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync'];
    await runProgram(binaryPath('initdb'), args, this.#user);
  }
}

function urlOf(port: number): string {
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}
