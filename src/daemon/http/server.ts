import { timingSafeEqual } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Settings } from '../../../config/settings.ts';
import type { Health } from '../health.ts';
import type { Metrics } from '../metrics.ts';

/** Compared in constant time, whatever the lengths. */
export function tokenMatches(given: string, expected: string): boolean {
  const length = Math.max(Buffer.byteLength(given), Buffer.byteLength(expected), 1);
  const padded = (text: string) => Buffer.concat([Buffer.from(text)], length);
  return timingSafeEqual(padded(given), padded(expected)) && given.length === expected.length;
}

const open = new Set(['/livez', '/readyz']);

/** What the endpoints ask. */
export interface HttpParts {
  readonly settings: Settings['http'];
  readonly health: Health;
  readonly metrics: Metrics;
}

/** The daemon's HTTP endpoints: `/livez` and `/readyz` for the orchestrator, the rest behind the token where there is one. */
export function createHttpServer({ settings, health, metrics }: HttpParts): FastifyInstance {
  const server = Fastify({ logger: false });
  const { token } = settings;
  server.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    if (token === undefined || open.has(path)) return;
    const given = request.headers.authorization?.replace(/^Bearer /i, '') ?? '';
    if (!tokenMatches(given, token))
      await reply.code(401).header('www-authenticate', 'Bearer').send({ error: 'unauthorized' });
  });
  server.get('/livez', async (_, reply) => {
    const problems = health.livenessProblems();
    return reply.code(problems.length === 0 ? 200 : 503).send({ live: problems.length === 0, problems });
  });
  server.get('/readyz', async (_, reply) => {
    const problems = health.readinessProblems();
    return reply.code(problems.length === 0 ? 200 : 503).send({ ready: problems.length === 0, problems });
  });
  server.get('/metrics', async (_, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  return server;
}
