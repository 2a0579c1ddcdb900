import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from './pages/error-page.ts';
import { sendPage } from './send-page.ts';

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

/** An answer to people in a browser is a page, to all others a document. */
function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  error: { code: string; message: string },
) {
  reply.code(status);
  const isPage = request.headers.accept?.includes('text/html') ?? false;
  return isPage ? sendPage(reply, errorPage(status, error.message)) : reply.send({ error });
}

/** What is thrown in a route → its answer. Only our own and fastify's messages go out: another may hold what it should not. */
export async function answerError(error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply) {
  const status = error.statusCode ?? 500;
  const isTold = status < 500 || error instanceof HttpError;
  const { code, message } = isTold ? error : { code: 'internal_error', message: 'the request failed' };
  return answer(request, reply, status, { code, message });
}

/** The answer where there is no route. */
export async function answerNotFound(request: FastifyRequest, reply: FastifyReply) {
  const message = `there is no ${request.method} ${request.url.split('?')[0]}`;
  return answer(request, reply, 404, { code: 'not_found', message });
}
