import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error.ts';

/** Compared in constant time, whatever the lengths. */
export function tokenMatches(given: string, expected: string): boolean {
  const length = Math.max(Buffer.byteLength(given), Buffer.byteLength(expected), 1);
  const padded = (text: string) => Buffer.concat([Buffer.from(text)], length);
  return timingSafeEqual(padded(given), padded(expected)) && given.length === expected.length;
}

const open = new Set(['/livez', '/readyz']);

/** Where there is a token, everything but the two probes needs it. */
export function addToken(server: FastifyInstance, token: string | undefined): void {
  if (token === undefined) return;
  server.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    if (open.has(path)) return;
    const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (tokenMatches(given, token)) return;
    reply.header('www-authenticate', 'Bearer');
    throw new HttpError(401, 'unauthorized', 'give the token as Authorization: Bearer');
  });
}
