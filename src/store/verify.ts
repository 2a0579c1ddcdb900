import { requireRun } from './reads.ts';
import {
  attemptsToMatch,
  eventsToMatch,
  executionsToMatch,
  ruleForAll,
  ruleForRun,
  runIdsAfter,
} from './statements/verify.ts';
import type { Store } from './store.ts';

/** Something stored that breaks a rule. */
export interface Problem {
  readonly run_id: string;
  readonly problem: string;
  /** The id or number that shows it. */
  readonly detail: string | null;
}

/** What `verify` found. */
export interface Audit {
  readonly runs: number;
  readonly problems: readonly Problem[];
}

const closedBy: Readonly<Record<string, string>> = {
  ActivityCompleted: 'completed',
  ActivityFailed: 'failed',
  ActivityTimedOut: 'timed_out',
  ActivityCancelled: 'cancelled',
};
const page = 500;

/**
 * Audits what is stored, of all runs or of one: sequences without gaps, counters equal to rows, every execution and attempt
 * with its events, receipts with completed tasks, nothing open in a closed run. Reads without locks: a run that is being
 * written to at the moment may show a problem that a second look does not.
 * @throws Refusal `run_not_found`.
 */
export async function verify(store: Store, runId?: string): Promise<Audit> {
  if (runId !== undefined) await requireRun(store, runId);
  const problems: Problem[] = [];
  for (const { problem, statement } of runId === undefined ? ruleForAll : ruleForRun)
    for (const { run_id, detail } of await store.read(statement, runId === undefined ? [] : [runId]))
      problems.push({ run_id, problem, detail });
  let runs = 0;
  for await (const id of runId === undefined ? allRuns(store) : [runId]) {
    runs += 1;
    problems.push(...(await matchEvents(store, id)));
  }
  return { runs, problems };
}

async function* allRuns(store: Store): AsyncGenerator<string> {
  let last = '';
  for (;;) {
    const ids = await store.read(runIdsAfter, [last, page]);
    for (const { id } of ids) yield id;
    const next = ids.at(-1)?.id;
    if (next === undefined || ids.length < page) return;
    last = next;
  }
}

interface EventKeys {
  readonly activity_execution_id?: string;
  readonly activity_attempt_id?: string;
}

async function matchEvents(store: Store, runId: string): Promise<Problem[]> {
  const executions = await store.read(executionsToMatch, [runId]);
  if (executions.length === 0) return [];
  const attempts = await store.read(attemptsToMatch, [runId]);
  const scheduled = new Map<string, number>();
  const started = new Set<string>();
  const closed = new Map<string, string>();
  for (const { event_type, payload } of await store.read(eventsToMatch, [runId])) {
    if (!event_type.startsWith('Activity')) continue;
    const { activity_execution_id: id = '', activity_attempt_id: attemptId } = JSON.parse(payload) as EventKeys;
    const end = closedBy[event_type];
    if (event_type === 'ActivityScheduled') scheduled.set(id, (scheduled.get(id) ?? 0) + 1);
    if (event_type === 'ActivityStarted' && attemptId) started.add(attemptId);
    if (end !== undefined) closed.set(id, end);
  }
  const problems: Problem[] = [];
  const report = (problem: string, detail: string) => problems.push({ run_id: runId, problem, detail });
  for (const { id, status } of executions) {
    if (scheduled.get(id) !== 1) report('an activity has not exactly one ActivityScheduled', id);
    // An activity that was cancelled with its run ends without an event of its own.
    const end = closed.get(id);
    const isOpen = status === 'pending' || status === 'running';
    if (isOpen ? end !== undefined : end !== status && status !== 'cancelled')
      report(`an activity is ${status} and its history says ${end ?? 'open'}`, id);
  }
  for (const { id } of attempts) if (!started.has(id)) report('an attempt has no ActivityStarted', id);
  return problems;
}
