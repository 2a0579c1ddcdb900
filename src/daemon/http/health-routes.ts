import type { FastifyInstance } from 'fastify';
import type { Health } from '../health.ts';
import type { Metrics } from '../metrics.ts';

/** `/livez` and `/readyz` for the orchestrator, `/metrics` for Prometheus. */
export function addHealthRoutes(server: FastifyInstance, health: Health, { registry }: Metrics): void {
  server.get('/livez', async (_, reply) => {
    const problems = health.livenessProblems();
    return reply.code(problems.length === 0 ? 200 : 503).send({ live: problems.length === 0, problems });
  });
  server.get('/readyz', async (_, reply) => {
    const problems = health.readinessProblems();
    return reply.code(problems.length === 0 ? 200 : 503).send({ ready: problems.length === 0, problems });
  });
  server.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}
