import type { FastifyReply } from 'fastify';
import type { Html } from './pages/html.ts';

/** Answers with a document. */
export function sendPage(reply: FastifyReply, page: Html): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page.toString());
}
