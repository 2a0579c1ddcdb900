import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** The listening side of the daemon: requests go to the server that is in charge, and another may take over while it listens. */
export class HttpFront {
  readonly #listener: Server;
  #inCharge: FastifyInstance;

  private constructor(first: FastifyInstance) {
    this.#inCharge = first;
    this.#listener = createServer((request, response) => this.#inCharge.routing(request, response));
  }

  /** @throws the network's error when the address cannot be had. */
  static async listen(first: FastifyInstance, host: string, port: number): Promise<HttpFront> {
    await first.ready();
    const front = new HttpFront(first);
    front.#listener.listen(port, host);
    await once(front.#listener, 'listening');
    return front;
  }

  get url(): string {
    const { address, family, port } = this.#listener.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** From now on this server answers. */
  async handOver(next: FastifyInstance): Promise<void> {
    await next.ready();
    this.#inCharge = next;
  }

  /** Takes no more requests, and ends when those that are being answered are. */
  async close(): Promise<void> {
    const closed = once(this.#listener, 'close');
    this.#listener.close();
    await closed;
    await this.#inCharge.close();
  }
}
