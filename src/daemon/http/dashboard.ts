import type { FastifyInstance } from 'fastify';
import type { ReadPool } from '../../pool/read-pool.ts';
import type { Plain } from '../../store/reads.ts';
import type { QueueWatch } from '../queue-watch.ts';
import type { RecentRefusals } from '../recent-refusals.ts';
import { parseQuery, type RunsQuery, runsQuery } from './api-parameters.ts';
import { HttpError } from './http-error.ts';
import { dashboardPage } from './pages/dashboard-page.ts';
import { runPage } from './pages/run-page.ts';
import type { RunsFound } from './pages/runs-section.ts';
import { readJson } from './run-reads.ts';
import { sendPage } from './send-page.ts';

/** What the pages show, and whether there is a token. */
export interface DashboardParts {
  readonly reads: ReadPool;
  readonly watch: QueueWatch;
  readonly refusals: RecentRefusals;
  readonly queueName: string;
  readonly writable: boolean;
}

async function findRuns(reads: ReadPool, { cursor: before, ...filter }: RunsQuery): Promise<RunsFound> {
  try {
    return JSON.parse(await readJson(reads, { kind: 'runs', filter: { ...filter, before } })) as RunsFound;
  } catch (error) {
    if (error instanceof HttpError) return { problem: error.message };
    throw error;
  }
}

/** The pages for people: the dashboard, and a run. */
export function addDashboard(server: FastifyInstance, parts: DashboardParts): void {
  const { reads, watch, refusals, queueName, writable } = parts;
  server.get('/', async (request, reply) => {
    const query = parseQuery(runsQuery, request.query);
    const found = await findRuns(reads, query);
    const page = { counts: watch.latest, refusals: refusals.list, query, found, queueName, writable };
    return sendPage(reply, dashboardPage(page));
  });
  server.get<{ Params: { readonly id: string } }>('/runs/:id', async (request, reply) => {
    const run = JSON.parse(await readJson(reads, { kind: 'run', runId: request.params.id })) as Plain;
    return sendPage(reply, runPage(run, writable));
  });
}
