import { connect, createServer, type Server, type Socket } from 'node:net';

/** What of the client's bytes the server still gets when a fault strikes; undefined when it does not strike here. */
export type StrikePoint = (sent: Buffer) => Buffer | undefined;

/** When and how a fault strikes. */
export interface Strike {
  readonly at: StrikePoint;
  /** Strikes at the n-th time that `at` fits, and every n-th time after that. */
  readonly every: number;
  /** Called when the server has answered what it still got. What it said is never passed on. */
  readonly onStrike: (client: Socket) => void;
}

/** A TCP relay between a daemon and its database, at which faults strike at a named point of the protocol. */
export class FaultWire {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #strike: Strike;
  #fits = 0;
  strikes = 0;

  private constructor(server: Server, port: number, strike: Strike) {
    this.#server = server;
    this.port = port;
    this.#strike = strike;
  }

  static async open(databaseUrl: string, strike: Strike): Promise<FaultWire> {
    const { hostname, port } = new URL(databaseUrl);
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const wire = new FaultWire(server, typeof address === 'object' && address ? address.port : 0, strike);
    server.on('connection', client => wire.#relay(client, connect(Number(port), hostname)));
    return wire;
  }

  /** The database's URL, through this wire. */
  urlOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.port = String(this.port);
    return url.href;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #relay(client: Socket, server: Socket): void {
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true).on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.end();
      });
    }
    client.on('data', data => {
      const delivered = this.#delivered(data);
      if (delivered === undefined) return void server.write(data);
      this.strikes += 1;
      server.removeAllListeners('data').once('data', () => this.#strike.onStrike(client));
      return void server.write(delivered);
    });
    server.on('data', data => void client.write(data));
  }

  #delivered(data: Buffer): Buffer | undefined {
    const delivered = this.#strike.at(data);
    if (delivered === undefined) return undefined;
    this.#fits += 1;
    return this.#fits % this.#strike.every === 0 ? delivered : undefined;
  }
}
