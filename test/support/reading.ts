import { type Columns, list, type Query, query } from '../../src/store/statement.ts';
import { activitiesOfRun, attemptsOfRun, runById, summaryOfRun, waitsOfRun } from '../../src/store/statements/reads.ts';
import type { Store } from '../../src/store/store.ts';
import type { Table } from '../../src/store/table.ts';
import * as tables from '../../src/store/tables.ts';

const event = { sequence: 'bigint', event_type: 'text', payload: 'json', workflow_task_id: 'text?' } as const;
const eventsOfRun = query(
  'test-events',
  event,
  `select ${list(event)} from workflow_history_events where workflow_run_id = ? order by sequence`,
);
const failure = {
  source_kind: 'text',
  source_id: 'text',
  failure_category: 'text',
  non_retryable: 'bool',
  exception_class: 'text?',
  message: 'text',
} as const;
const failuresOfRun = query(
  'test-failures',
  failure,
  `select ${list(failure)} from workflow_failures where workflow_run_id = ? order by id`,
);

/** An event as a reader sees it. */
export interface ReadEvent {
  readonly sequence: bigint;
  readonly type: string;
  readonly payload: Record<string, unknown>;
}

export async function readEvents(store: Store, runId: string): Promise<ReadEvent[]> {
  const rows = await store.read(eventsOfRun, [runId]);
  return rows.map(({ sequence, event_type, payload }) => ({
    sequence,
    type: event_type,
    payload: JSON.parse(payload) as Record<string, unknown>,
  }));
}

/** Everything of a run that the contract speaks of. */
export async function readAll(store: Store, runId: string) {
  const [run] = await store.read(runById, [runId]);
  const [summary] = await store.read(summaryOfRun, [runId]);
  return {
    events: await readEvents(store, runId),
    run,
    summary,
    executions: await store.read(activitiesOfRun, [runId]),
    attempts: await store.read(attemptsOfRun, [runId]),
    failures: await store.read(failuresOfRun, [runId]),
    waits: await store.read(waitsOfRun, [runId]),
  };
}

const counts = Object.values(tables).map((table: Table) => ({
  table: table.name,
  statement: query(`test-count-${table.name}`, { n: 'int' }, `select count(*) as n from ${table.name}`),
}));

/** Rows of every table: equal before and after means that nothing was stored. */
export async function rowCounts(store: Store): Promise<Record<string, number>> {
  const result: Record<string, number> = {};
  for (const { table, statement } of counts) result[table] = (await store.read(statement, []))[0]?.n ?? -1;
  return result;
}

/** A query made up by a test. */
export function ask<const C extends Columns>(columns: C, sql: string): Query<C> {
  return query(`test-${sql}`.slice(0, 60) + sql.length, columns, sql);
}
