import { Refusal } from '../completion/refusal.ts';
import { Instant } from './instant.ts';
import type { Columns, Row } from './statement.ts';
import {
  activitiesOfRun,
  attemptsOfRun,
  historyPage,
  runById,
  runsPage,
  summaryOfRun,
  waitsOfRun,
} from './statements/reads.ts';
import type { Store } from './store.ts';

/** A row as JSON shows it: sequences as decimal strings, times as ISO text, documents as what they hold. */
export type Plain = Readonly<Record<string, unknown>>;

/** One event of a history. */
export interface HistoryEvent {
  readonly sequence: string;
  readonly event_type: string;
  readonly payload: Plain;
  readonly workflow_task_id: string | null;
  readonly recorded_at: string;
}

/** A page of a run's history; `next` is the sequence to go on behind, null at the end. */
export interface HistoryPage {
  readonly run_id: string;
  readonly events: readonly HistoryEvent[];
  readonly next: string | null;
}

/** No ULID sorts behind this one, in any collation: the newest run is behind nothing. */
const newest = 'Z'.repeat(26);
const maxPage = 1_000;

function plain<C extends Columns>(columns: C, row: Row<C>): Plain {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value === 'bigint') return [name, String(value)];
      if (value instanceof Instant) return [name, value.toString()];
      if (typeof value === 'string' && columns[name]?.startsWith('json')) return [name, JSON.parse(value) as unknown];
      return [name, value];
    }),
  );
}

/** A run's row. @throws Refusal `run_not_found`. */
export async function requireRun(store: Store, runId: string) {
  const [run] = await store.read(runById, [runId]);
  if (run === undefined) throw new Refusal('run_not_found', `there is no run ${runId}`);
  return run;
}

/**
 * A page of a run's history.
 * @param after the sequence to go on behind; @param limit events at most.
 * @throws Refusal `run_not_found`.
 */
export async function readHistory(store: Store, runId: string, after = 0n, limit = maxPage): Promise<HistoryPage> {
  const rows = await store.read(historyPage, [runId, after, limit + 1]);
  if (rows.length === 0) await requireRun(store, runId);
  const events = rows.slice(0, limit).map(row => plain(historyPage.columns, row) as unknown as HistoryEvent);
  return { run_id: runId, events, next: rows.length > limit ? (events.at(-1)?.sequence ?? null) : null };
}

/** All events of a run, page by page. @throws Refusal `run_not_found`. */
export async function* streamHistory(store: Store, runId: string, after = 0n): AsyncGenerator<HistoryEvent> {
  for (let from = after; ; ) {
    const { events, next } = await readHistory(store, runId, from);
    yield* events;
    if (next === null) return;
    from = BigInt(next);
  }
}

/** A run's activities with their attempts, in the order of their steps. @throws Refusal `run_not_found`. */
export async function readActivities(store: Store, runId: string) {
  await requireRun(store, runId);
  const attempts = new Map<string, Plain[]>();
  for (const attempt of await store.read(attemptsOfRun, [runId])) {
    const list = attempts.get(attempt.activity_execution_id) ?? [];
    attempts.set(attempt.activity_execution_id, [...list, plain(attemptsOfRun.columns, attempt)]);
  }
  const executions = await store.read(activitiesOfRun, [runId]);
  return {
    run_id: runId,
    activities: executions.map(execution => ({
      ...plain(activitiesOfRun.columns, execution),
      attempts: attempts.get(execution.id) ?? [],
    })),
  };
}

/** A run with its summary and its waits. @throws Refusal `run_not_found`. */
export async function readRun(store: Store, runId: string): Promise<Plain & { readonly waits: readonly Plain[] }> {
  const run = await requireRun(store, runId);
  const [[summary], waits] = await Promise.all([store.read(summaryOfRun, [runId]), store.read(waitsOfRun, [runId])]);
  return {
    ...plain(runById.columns, run),
    summary: summary ? plain(summaryOfRun.columns, summary) : null,
    waits: waits.map(wait => plain(waitsOfRun.columns, wait)),
  };
}

/** Which runs to list; all given conditions hold. */
export interface RunFilter {
  readonly status?: string | undefined;
  readonly type?: string | undefined;
  readonly workflowId?: string | undefined;
  /** Part of a run id, a workflow id or a workflow type, in any case. */
  readonly search?: string | undefined;
  /** Go on behind this run. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
}

/** Runs, newest first. */
export async function listRuns(store: Store, filter: RunFilter = {}): Promise<readonly Plain[]> {
  const { status = '', type = '', workflowId = '', search = '', before = newest, limit = 50 } = filter;
  const part = `%${search.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%`;
  const exact = [before, status, status, type, type, workflowId, workflowId];
  const values = [...exact, search, part, part, part, Math.min(limit, maxPage)];
  return (await store.read(runsPage, values)).map(row => plain(runsPage.columns, row));
}
