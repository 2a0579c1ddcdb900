import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ReadPool } from '../../pool/read-pool.ts';
import { historyQuery, noQuery, parseQuery, runsQuery } from './api-parameters.ts';
import { readJson } from './run-reads.ts';

interface RunRoute {
  readonly Params: { readonly id: string };
}

/** The reading API. Its documents are those of the command line's `--json`, under the same names. */
export function addApi(server: FastifyInstance, reads: ReadPool): void {
  const json = (reply: FastifyReply) => reply.type('application/json; charset=utf-8');

  server.get('/api/runs', async (request, reply) => {
    const { cursor: before, ...filter } = parseQuery(runsQuery, request.query);
    return json(reply).send(await readJson(reads, { kind: 'runs', filter: { ...filter, before } }));
  });
  server.get<RunRoute>('/api/runs/:id', async (request, reply) => {
    parseQuery(noQuery, request.query);
    return json(reply).send(await readJson(reads, { kind: 'run', runId: request.params.id }));
  });
  server.get<RunRoute>('/api/runs/:id/history', async (request, reply) => {
    const page = parseQuery(historyQuery, request.query);
    return json(reply).send(await readJson(reads, { kind: 'history', runId: request.params.id, ...page }));
  });
  server.get<RunRoute>('/api/runs/:id/activities', async (request, reply) => {
    parseQuery(noQuery, request.query);
    return json(reply).send(await readJson(reads, { kind: 'activities', runId: request.params.id }));
  });
}
