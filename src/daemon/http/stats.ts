import type { FastifyInstance } from 'fastify';
import type { Health } from '../health.ts';
import type { QueueWatch } from '../queue-watch.ts';
import type { RecentCompletions } from '../recent-completions.ts';

/** `/api/stats`: the queue's counts, what keeps the daemon from being ready, and the last minutes. Asks neither queue nor database. */
export function addStats(server: FastifyInstance, health: Health, watch: QueueWatch, recent: RecentCompletions): void {
  server.get('/api/stats', async () => ({
    problems: health.readinessProblems(),
    queue: watch.latest ?? null,
    completions: recent.series(),
  }));
}
