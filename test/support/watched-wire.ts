import type { Socket } from 'node:net';
import { TcpRelay } from './tcp-relay.ts';

/**
 * A TCP relay in front of a database: counts the client's turns (how often it sends after the server spoke) and can cut a
 * connection at a text of the client's.
 */
export class WatchedWire {
  /** Round trips since the last reset, of all connections. */
  turns = 0;
  #relay: TcpRelay | undefined;
  #cut: { readonly text: string; readonly isDelivered: boolean } | undefined;

  static async open(host: string, port: number): Promise<WatchedWire> {
    const wire = new WatchedWire();
    wire.#relay = await TcpRelay.open(host, port, (client, server) => wire.#join(client, server));
    return wire;
  }

  get port(): number {
    return this.#relay?.port ?? 0;
  }

  /** Cuts the connection whose client sends `text`; the server still gets it when `isDelivered`, but no answer comes back. */
  cutAt(text: string, isDelivered: boolean): void {
    this.#cut = { text, isDelivered };
  }

  async close(): Promise<void> {
    await this.#relay?.close();
  }

  #join(client: Socket, server: Socket): void {
    let serverSpoke = true;
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
