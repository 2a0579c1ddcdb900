import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { signInPage } from './pages/sign-in-page.ts';
import { sendPage } from './send-page.ts';
import { sessionCookie, sessionOf } from './session.ts';
import { tokenMatches } from './token.ts';

/** A path of this server and nothing else: never a way to another host. */
const nextSchema = z
  .string()
  .regex(/^\/(?![/\\])[\x21-\x7e]*$/)
  .catch('/');
const form = z.object({ token: z.string().catch(''), next: nextSchema });

/** A proxy that ends TLS says so. */
function isHttps({ headers, protocol }: FastifyRequest): boolean {
  return protocol === 'https' || headers['x-forwarded-proto'] === 'https';
}

/** The way of people in a browser to the token: a form, and a session in a cookie. The token never stands in a URL. */
export function addSignIn(server: FastifyInstance, token: string | undefined): void {
  if (token === undefined) return;
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  server.get('/sign-in', async (request, reply) => {
    const { next } = request.query as { next?: unknown };
    return sendPage(reply, signInPage(nextSchema.parse(next), false));
  });
  server.post('/sign-in', async (request, reply) => {
    const given = form.parse(request.body ?? {});
    if (!tokenMatches(given.token, token)) return sendPage(reply.code(401), signInPage(given.next, true));
    reply.header('set-cookie', sessionCookie(sessionOf(token), isHttps(request)));
    return reply.redirect(given.next, 303);
  });
  server.post('/sign-out', async (request, reply) => {
    reply.header('set-cookie', sessionCookie('', isHttps(request)));
    return reply.redirect('/sign-in', 303);
  });
}
