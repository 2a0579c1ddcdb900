import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP relay in front of a server: what its pairs of sockets say to each other is up to its owner. */
export class TcpRelay {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  /** @param join connects a client with its own connection to the server; when one of the two closes, the other does. */
  static async open(host: string, port: number, join: (client: Socket, server: Socket) => void): Promise<TcpRelay> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const relay = new TcpRelay(server, typeof address === 'object' && address ? address.port : 0);
    server.on('connection', client => {
      const behind = connect(port, host);
      relay.#keep(client, behind);
      join(client, behind);
    });
    return relay;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #keep(client: Socket, server: Socket): void {
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true).on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.end();
      });
    }
  }
}
