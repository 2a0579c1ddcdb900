import type { Socket } from 'node:net';
import { TcpRelay } from '../support/tcp-relay.ts';

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
  readonly #strike: Strike;
  #relay: TcpRelay | undefined;
  #fits = 0;
  strikes = 0;

  private constructor(strike: Strike) {
    this.#strike = strike;
  }

  static async open(databaseUrl: string, strike: Strike): Promise<FaultWire> {
    const { hostname, port } = new URL(databaseUrl);
    const wire = new FaultWire(strike);
    wire.#relay = await TcpRelay.open(hostname, Number(port), (client, server) => wire.#join(client, server));
    return wire;
  }

  /** The database's URL, through this wire. */
  urlOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.port = String(this.#relay?.port);
    return url.href;
  }

  async close(): Promise<void> {
    await this.#relay?.close();
  }

  #join(client: Socket, server: Socket): void {
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
