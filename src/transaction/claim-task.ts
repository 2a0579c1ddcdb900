import { activityTimeoutTask } from '../commands/schedule-activity.ts';
import { Instant } from '../store/instant.ts';
import type { Row } from '../store/statement.ts';
import { activityById, startActivity } from '../store/statements/activities.ts';
import { setRunStatus, setSummaryStatus } from '../store/statements/runs.ts';
import { expiredTaskIds, leaseTask, lockClaimableTask, readyTaskIds } from '../store/statements/tasks.ts';
import type { Store, StoreTransaction } from '../store/store.ts';
import { Drafting } from './drafting.ts';
import { activityOf } from './time-out-activity.ts';

type ClaimableTask = Row<typeof lockClaimableTask.columns>;

/** Tasks that one look finds at most; others that claim at the same moment take some of them. */
const candidates = 20;
/** Looks before a claim says that there is nothing it can have. */
const looks = 3;

/** What `claimTask` takes. */
export interface ClaimRequest {
  readonly queue: string;
  readonly lease_owner: string;
  readonly task_type: 'workflow' | 'activity';
  readonly lease_seconds: number;
}

/** A leased task. `workflow_task_attempt` is the fencing token: a later claim of the same task has a higher one. */
export interface ClaimedTask {
  readonly task_id: string;
  readonly run_id: string;
  readonly workflow_id: string;
  readonly workflow_type: string;
  readonly lease_owner: string;
  readonly workflow_task_attempt: number;
  readonly lease_expires_at: string;
  /** Events that the run's history has now; decimal string. */
  readonly history_events: string;
}

/**
 * Leases the oldest ready task of a queue, or one whose lease ran out. Writes no event. Undefined when there is none that
 * is not being worked on by somebody else at this moment.
 */
export async function claimTask(store: Store, request: ClaimRequest): Promise<ClaimedTask | undefined> {
  return store.transaction(tx => claim(tx, request, Instant.now()));
}

/** The activity runs now; a start-to-close time-out is counted from here. */
async function startActivityOf(tx: StoreTransaction, task: ClaimableTask, now: Instant): Promise<void> {
  const executionId = activityOf(task.payload);
  const [execution] = executionId ? await tx.read(activityById, [executionId]) : [];
  if (execution === undefined) return;
  const options = JSON.parse(execution.activity_options ?? '{}') as { start_to_close_timeout?: number };
  const seconds = options.start_to_close_timeout;
  const closeDeadline = seconds === undefined ? null : now.plusSeconds(seconds);
  tx.write(startActivity, [execution.started_at ?? now, closeDeadline, now, execution.id]);
  if (seconds === undefined) return;
  const source = { now, taskId: task.id, leaseOwner: '', payloadBytes: Number.POSITIVE_INFINITY };
  const { row, table } = activityTimeoutTask(new Drafting(source), execution.id, 'start_to_close', seconds, task.id);
  const { namespace, queue, workflow_run_id } = task;
  tx.insert(table, [{ ...row, workflow_run_id, namespace, queue, attempt_count: 0, created_at: now, updated_at: now }]);
}

/** The first candidate that nobody else has locked. */
async function takeTask(tx: StoreTransaction, request: ClaimRequest, now: Instant): Promise<ClaimableTask | undefined> {
  const values = [request.queue, request.task_type, now, candidates];
  for (let look = 0; look < looks; look += 1) {
    const [expired, ready] = await Promise.all([tx.read(expiredTaskIds, values), tx.read(readyTaskIds, values)]);
    const ids = [...expired, ...ready];
    for (const { id } of ids) {
      const [task] = await tx.read(lockClaimableTask, [id, now, now]);
      if (task !== undefined) return task;
    }
    if (ids.length === 0) return undefined;
  }
  return undefined;
}

async function claim(tx: StoreTransaction, request: ClaimRequest, now: Instant): Promise<ClaimedTask | undefined> {
  const task = await takeTask(tx, request, now);
  if (task === undefined) return undefined;
  const attempt = task.attempt_count + 1;
  const expiresAt = now.plusSeconds(request.lease_seconds);
  tx.write(leaseTask, [now, request.lease_owner, expiresAt, attempt, now, task.id]);
  if (request.task_type === 'activity') await startActivityOf(tx, task, now);
  else if (task.run_status !== 'running') {
    tx.write(setRunStatus, ['running', now, task.workflow_run_id]);
    tx.write(setSummaryStatus, ['running', now, task.workflow_run_id]);
  }
  return {
    task_id: task.id,
    run_id: task.workflow_run_id,
    workflow_id: task.workflow_instance_id,
    workflow_type: task.workflow_type,
    lease_owner: request.lease_owner,
    workflow_task_attempt: attempt,
    lease_expires_at: expiresAt.toString(),
    history_events: String(task.last_history_sequence),
  };
}
