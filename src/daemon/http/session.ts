import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

const name = 'completiond_session';
const secondsOfSession = 43_200;

/** The value of a session's cookie: derived from the token, so that it ends with it, is the same on every replica, and does not tell it. */
export function sessionOf(token: string): string {
  return createHmac('sha256', token).update('completiond session 1').digest('base64url');
}

/** The session that a request's cookie claims; empty where there is none. */
export function claimedSession({ headers }: FastifyRequest): string {
  const cookies = (headers.cookie ?? '').split(';').map(pair => pair.trim());
  return cookies.find(pair => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

/** The header that sets the cookie; an empty value removes it. Scripts cannot read it, other sites cannot send it. */
export function sessionCookie(value: string, isHttps: boolean): string {
  const maxAge = value === '' ? 0 : secondsOfSession;
  const secure = isHttps ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`;
}
