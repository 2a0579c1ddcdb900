import type { FastifyInstance } from 'fastify';
import type { QueueAdmin } from '../../queue/admin.ts';
import { redriveDeadLetters } from '../../queue/dead-letters.ts';
import { QueueError } from '../../queue/queue-error.ts';
import type { RecentRefusals } from '../recent-refusals.ts';
import { HttpError } from './http-error.ts';
import { requireWritable } from './token.ts';

/** `POST /dead-letters/:id/redrive`: a refused job goes back into the queue, as with `dead-letters redrive`. */
export function addRedrive(
  server: FastifyInstance,
  admin: QueueAdmin,
  refusals: RecentRefusals,
  token: string | undefined,
): void {
  server.post<{ Params: { readonly id: string } }>('/dead-letters/:id/redrive', async (request, reply) => {
    requireWritable(token);
    const { id } = request.params;
    try {
      await redriveDeadLetters(admin, { ids: [id] }, false);
    } catch (error) {
      if (!(error instanceof QueueError)) throw error;
      throw new HttpError(error.code === 'not_found' ? 404 : 503, error.code, error.message);
    }
    refusals.forget(id);
    return reply.redirect('/', 303);
  });
}
