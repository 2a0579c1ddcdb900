import { BlockList, isIP } from 'node:net';

const addresses = new BlockList();
addresses.addSubnet('127.0.0.0', 8, 'ipv4');
addresses.addAddress('::1', 'ipv6');

/**
 * Whether a host to listen on is reached from this machine only: 127.0.0.0/8, also written as IPv6, `::1` and `localhost`
 * (RFC 6761). Any other name may resolve to any address, now or later, and does not count.
 */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  const family = isIP(host);
  return family !== 0 && addresses.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
