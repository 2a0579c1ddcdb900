import { workerData } from 'node:worker_threads';
import { Refusal } from '../src/completion/refusal.ts';
import type { ReadThreadData } from '../src/pool/read-pool.ts';
import type { ReadAnswer, ReadRequest } from '../src/pool/read-protocol.ts';
import { openOnce } from '../src/store/open-once.ts';
import { listRuns, readActivities, readHistory, readRun } from '../src/store/reads.ts';
import { StoreError } from '../src/store/store-error.ts';

const store = openOnce(workerData as ReadThreadData);

async function documentOf(request: ReadRequest): Promise<unknown> {
  switch (request.kind) {
    case 'runs': {
      const { limit } = request.filter;
      const found = await listRuns(await store(), { ...request.filter, limit: limit + 1 });
      const runs = found.slice(0, limit);
      return { runs, next: found.length > limit ? (runs.at(-1)?.id ?? null) : null };
    }
    case 'run':
      return readRun(await store(), request.runId);
    case 'history':
      return readHistory(await store(), request.runId, request.after, request.limit);
    case 'activities':
      return readActivities(await store(), request.runId);
  }
}

function failureOf(error: unknown): ReadAnswer {
  if (error instanceof Refusal)
    return { kind: 'failed', code: error.code, status: error.status, message: error.message };
  if (error instanceof StoreError)
    return { kind: 'failed', code: 'database_unavailable', status: 503, message: error.message };
  return { kind: 'failed', code: 'internal_error', status: 500, message: 'the read failed' };
}

/** The piscina entry: a request → plain data. An expected failure is an answer. */
export default async function read(request: ReadRequest): Promise<ReadAnswer> {
  try {
    return { kind: 'found', json: JSON.stringify(await documentOf(request)) };
  } catch (error) {
    return failureOf(error);
  }
}
