import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A TCP relay in front of a database: counts the client's turns (how often it sends after the server spoke) and can cut a
 * connection at a text of the client's.
 */
export class WatchedWire {
  /** Round trips since the last reset, of all connections. */
  turns = 0;
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut: { readonly text: string; readonly isDelivered: boolean } | undefined;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async open(host: string, port: number): Promise<WatchedWire> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const wire = new WatchedWire(server, typeof address === 'object' && address ? address.port : 0);
    server.on('connection', client => wire.#relay(client, connect(port, host)));
    return wire;
  }

  /** Cuts the connection whose client sends `text`; the server still gets it when `isDelivered`, but no answer comes back. */
  cutAt(text: string, isDelivered: boolean): void {
    this.#cut = { text, isDelivered };
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #relay(client: Socket, server: Socket): void {
    let serverSpoke = true;
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.end();
      });
    }
    client.on('data', data => {
      if (serverSpoke) this.turns += 1;
      serverSpoke = false;
      const cut = this.#cut;
      if (cut === undefined || !data.includes(cut.text)) return void server.write(data);
      this.#cut = undefined;
      if (!cut.isDelivered) return void client.destroy();
      server.removeAllListeners('data');
      server.once('data', () => client.destroy());
      return void server.write(data);
    });
    server.on('data', data => {
      serverSpoke = true;
      client.write(data);
    });
  }
}
