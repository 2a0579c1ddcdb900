import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

const standardPorts: readonly number[] = [3306, 5432, 6379, 33_060];

/**
 * A TCP port on the loopback address that nothing listens on now, and never one that a server of this kind has by
 * default. Another process can still take it before its user does: whoever starts a server there tries again elsewhere.
 */
export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return standardPorts.includes(port) ? freePort() : port;
}
