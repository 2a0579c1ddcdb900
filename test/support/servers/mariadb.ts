import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { ChildServer } from './child-server.ts';
import { binaryPath } from './install.ts';
import { runProgram } from './run-program.ts';
import { serverUser } from './server-user.ts';
import { temporaryPath } from './temporary-folder.ts';

/** A private MariaDB on a free port of the loopback address, with 300 connections. */
export class MariadbServer {
  readonly #server: ChildServer;
  readonly #folder = temporaryPath('my');
  readonly #data = join(this.#folder, 'data');
  readonly #user = serverUser('mysql');
  #initialized = false;

  /** @param more of the server's own arguments. */
  constructor(more: readonly string[] = []) {
    this.#server = new ChildServer({
      name: 'mariadbd',
      binary: binaryPath('mariadbd'),
      user: this.#user,
      stopSignal: 'SIGTERM',
      args: port => [
        ...['--no-defaults', `--datadir=${this.#data}`, `--socket=${join(this.#folder, 's')}`, `--port=${port}`],
        ...['--bind-address=127.0.0.1', `--pid-file=${join(this.#folder, 'pid')}`, '--skip-name-resolve'],
        '--max-connections=300',
        ...more,
      ],
      ping: async port => {
        const connection = await createConnection({ uri: urlOf(port), connectTimeout: 2_000 });
        await connection.end();
      },
    });
  }

  /** `mysql://root@127.0.0.1:PORT`, without a password or a database; the same over restarts. */
  get url(): string {
    return urlOf(this.#server.port);
  }

  /** Makes the data folder at the first call; resolves when the server takes connections. */
  async start(): Promise<void> {
    if (!this.#initialized) await this.#initialize();
    this.#initialized = true;
    await this.#server.start();
  }

  /** Ends it in good order. */
  async stop(): Promise<void> {
    await this.#server.stop();
  }

  /** SIGKILL; resolves when the process is gone. */
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
    for (const path of [this.#folder, this.#data]) {
      mkdirSync(path);
      if (this.#user !== undefined) chownSync(path, this.#user.uid, this.#user.gid);
    }
    const args = ['--no-defaults', `--datadir=${this.#data}`, '--auth-root-authentication-method=normal'];
    await runProgram(binaryPath('mariadb-install-db'), [...args, '--skip-test-db'], this.#user);
  }
}

function urlOf(port: number): string {
  return `mysql://root@127.0.0.1:${port}`;
}
