import type { Completion } from '../completion/completion.ts';
import type { Outcome } from '../completion/outcome.ts';
import { Refusal } from '../completion/refusal.ts';
import type { ApplyStats } from '../pool/protocol.ts';
import { endTask } from '../store/statements/tasks.ts';
import type { Store, StoreTransaction } from '../store/store.ts';
import { workflowTaskCompletions } from '../store/tables.ts';
import { checkFence, checkRunOpen } from './fence.ts';
import { checkPending, lockAndLoad } from './load-state.ts';
import type { PreparedCompletion } from './prepare-completion.ts';
import { RunContext } from './run-context.ts';
import { RunState } from './run-state.ts';
import { OpenTransaction, type TransactionSettings } from './transaction.ts';

/** A completion that is stored, by this call or by an earlier one, and what it cost. */
export interface Applied {
  readonly outcome: Outcome;
  readonly stats: ApplyStats;
}

/**
 * One completion as one transaction: lock and load, receipt, fence, commands, last flush, receipt, commit.
 * @param enqueuedAtMs when the job was enqueued, milliseconds since the epoch: the fence asks.
 * @throws Refusal when it can never succeed, StoreError when the database failed; nothing is stored in either case, but for
 *   a StoreError of class `unknown`.
 */
export async function applyCompletion(
  store: Store,
  prepared: PreparedCompletion,
  enqueuedAtMs: number,
  settings: TransactionSettings,
): Promise<Applied> {
  const clock = { begin: performance.now(), locked: 0 };
  const work = (tx: StoreTransaction) => apply(tx, store, prepared, enqueuedAtMs, settings, clock);
  const { outcome, open, tx } = await store.transaction(work);
  const committed = performance.now();
  return {
    outcome,
    stats: {
      transactionMs: committed - clock.begin,
      lockMs: committed - clock.locked,
      lockWaitMs: clock.locked - clock.begin,
      statements: tx.statements,
      ...(open?.stats ?? { flushes: [], rows: 0, bytes: 0 }),
    },
  };
}

async function apply(
  tx: StoreTransaction,
  store: Store,
  { completion, now, commands, needs }: PreparedCompletion,
  enqueuedAtMs: number,
  settings: TransactionSettings,
  clock: { locked: number },
): Promise<{ outcome: Outcome; open?: OpenTransaction; tx: StoreTransaction }> {
  const { run: row, task, family, signals } = await lockAndLoad(tx, completion.task_id, needs);
  clock.locked = performance.now();
  if (row === undefined || task === undefined || task.task_type !== 'workflow')
    throw new Refusal('task_not_found', `there is no workflow task ${completion.task_id}`);
  if (task.outcome !== null) return { outcome: storedOutcome(task.outcome, task.content_digest, completion), tx };
  const run = new RunState(row, task.id);
  if (task.status === 'cancelled') checkRunOpen(run, now);
  checkFence(task, completion, enqueuedAtMs);
  checkRunOpen(run, now);

  const { task_id: taskId, lease_owner: leaseOwner } = completion;
  const { payloadBytes } = settings.limits;
  const open = new OpenTransaction(tx, settings, store.capabilities.maxParameters, {
    now,
    taskId,
    leaseOwner,
    payloadBytes,
  });
  const context = new RunContext(open, run, { family, signals, completingTaskId: taskId });
  const adds = commands.flatMap(({ prepared }) => prepared.adds ?? []);
  await Promise.all([
    checkPending(tx, run.id, adds, settings.limits),
    ...commands.map(({ prepared }) => prepared.check?.(context)),
  ]);
  run.status = 'waiting';
  run.nextTaskId = null;
  for (const { isRecord, prepared } of commands) {
    if (!isRecord) open.boundary();
    await prepared.apply(context);
    if (!isRecord) open.boundary();
  }
  if (!run.isClosed && resumeRequested(task.payload)) await context.wakeRun();
  await open.finish();
  const outcome = newOutcome(completion, run, open.createdTaskIds);
  tx.write(endTask, ['completed', now, taskId]);
  tx.insert(workflowTaskCompletions, [
    {
      task_id: taskId,
      completion_id: completion.completion_id,
      content_digest: completion.contentDigest,
      workflow_task_attempt: completion.workflow_task_attempt,
      outcome: JSON.stringify(outcome),
      recorded_at: now,
    },
  ]);
  return { outcome, open, tx };
}

/** Whether something happened to the run after its task was claimed: the worker that holds it has not seen that yet. */
function resumeRequested(payload: string | null): boolean {
  return payload !== null && (JSON.parse(payload) as { resume_requested?: boolean }).resume_requested === true;
}

/** The outcome of a completion that was stored before. @throws Refusal `conflicting_completion` when its content was another. */
export function storedOutcome(stored: string, digest: string | null, completion: Completion): Outcome {
  if (digest !== completion.contentDigest)
    throw new Refusal(
      'conflicting_completion',
      `workflow task ${completion.task_id} was completed by a completion with other content`,
    );
  return { ...(JSON.parse(stored) as Outcome), recorded: false, reason: 'already_completed' };
}

function newOutcome(completion: Completion, run: RunState, createdTaskIds: readonly string[]): Outcome {
  const { firstSequence } = run;
  return {
    outcome: 'completed',
    recorded: true,
    reason: null,
    task_id: completion.task_id,
    run_id: run.id,
    workflow_task_attempt: completion.workflow_task_attempt,
    run_status: run.status,
    created_task_ids: createdTaskIds,
    first_history_sequence: firstSequence === undefined ? null : String(firstSequence),
    last_history_sequence: firstSequence === undefined ? null : String(run.lastHistorySequence),
    event_count: run.eventsWritten,
  };
}
