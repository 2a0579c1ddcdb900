import type { FastifyInstance } from 'fastify';

/** Everything comes from this server, nothing is inline, and no other site may frame it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** What browsers are told with every answer. Assets say themselves how long they may be kept. */
export function addSecurityHeaders(server: FastifyInstance): void {
  server.addHook('onSend', async (_, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    });
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}
