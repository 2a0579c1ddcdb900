import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

/** An answer that is a "no": `{ "error": { code, message } }` with its status. */
export class HttpError extends Error {
  readonly statusCode: number;
  readonly code: string;

  constructor(statusCode: number, code: string, message: string) {
    super(message);
    this.name = 'HttpError';
    this.statusCode = statusCode;
    this.code = code;
  }
}

/** What is thrown in a route → its answer. Only our own and fastify's messages go out: another may hold what it should not. */
export async function answerError(error: FastifyError | HttpError, _: FastifyRequest, reply: FastifyReply) {
  const status = error.statusCode ?? 500;
  const { code, message } =
    status < 500 || error instanceof HttpError ? error : { code: 'internal_error', message: 'the request failed' };
  return reply.code(status).send({ error: { code, message } });
}

/** The answer where there is no route. */
export async function answerNotFound(request: FastifyRequest, reply: FastifyReply) {
  const message = `there is no ${request.method} ${request.url.split('?')[0]}`;
  return reply.code(404).send({ error: { code: 'not_found', message } });
}
