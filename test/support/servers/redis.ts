import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { ChildServer } from './child-server.ts';
import { binaryPath } from './install.ts';
import { temporaryPath } from './temporary-folder.ts';

/** How a private Redis keeps its data. */
export interface RedisOptions {
  /** Writes every command to a file, so a killed server comes back with its keys. Off, a restart finds it empty. */
  readonly appendonly?: boolean;
  /** More of the server's own arguments. */
  readonly args?: readonly string[];
}

/** A private redis-server on a free port of the loopback address, in a folder of its own. */
export class RedisServer {
  readonly #server: ChildServer;

  constructor({ appendonly = false, args = [] }: RedisOptions = {}) {
    const folder = temporaryPath('redis');
    mkdirSync(folder);
    this.#server = new ChildServer({
      name: 'redis-server',
      binary: binaryPath('redis-server'),
      stopSignal: 'SIGTERM',
      args: port => [
        ...['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
        ...['--appendonly', appendonly ? 'yes' : 'no', '--maxmemory-policy', 'noeviction'],
        ...args,
      ],
      ping,
    });
  }

  /** `redis://127.0.0.1:PORT`; the same over restarts. */
  get url(): string {
    return `redis://127.0.0.1:${this.#server.port}`;
  }

  /** Resolves when the server answers and has loaded its data. */
  async start(): Promise<void> {
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

  /** Stops it if it runs, and starts it on the same port and data. */
  async restart(): Promise<void> {
    await this.#server.stop();
    await this.#server.start();
  }
}

async function ping(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write('PING\r\n');
    const [answer] = await once(socket, 'data');
    if (!String(answer).startsWith('+PONG')) throw new Error(String(answer).trim());
  } finally {
    socket.destroy();
  }
}
