import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerError, HttpError } from './http-error.ts';
import { claimedSession, sessionOf } from './session.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compared in constant time, whatever the lengths. */
export function tokenMatches(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

/** What needs no token: the probes, and what the way to a session needs. */
const open = new Set(['/livez', '/readyz', '/sign-in', '/assets/style.css', '/assets/icon.svg']);

/** Whether a method only reads. */
export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Whether a browser sent the request from a page of this server. `SameSite` lets pages of another port of the same host
 * through, so it is not enough for what changes something.
 */
function isFromOwnPage({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return URL.canParse(headers.origin ?? '') && new URL(headers.origin ?? '').host === headers.host;
}

/** Where there is a token, everything but the probes needs it: as a bearer, or as the cookie that signing in gives. */
export function addToken(server: FastifyInstance, token: string | undefined): void {
  if (token === undefined) return;
  const session = sessionOf(token);
  server.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    if (open.has(path)) return;
    const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (bearer !== undefined && tokenMatches(bearer, token)) return;
    if (tokenMatches(claimedSession(request), session)) {
      if (isReading(request.method) || isFromOwnPage(request)) return;
      const message = 'a page of another origin may not change anything';
      return answerError(new HttpError(403, 'foreign_page', message), request, reply);
    }
    const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (isPage) return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`, 303);
    reply.header('www-authenticate', 'Bearer');
    // Answered here: the board has a handler of errors of its own.
    return answerError(new HttpError(401, 'unauthorized', 'give the token as Authorization: Bearer'), request, reply);
  });
}

/** What changes something needs a token to be set; `addToken` saw to it that it was given. @throws HttpError 403 `read_only`. */
export function requireWritable(token: string | undefined): void {
  if (token === undefined)
    throw new HttpError(403, 'read_only', 'nothing can be changed here while http.token is not set');
}
