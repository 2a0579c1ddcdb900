import { Instant } from '../store/instant.ts';
import { setRunStatus, setSummaryStatus } from '../store/statements/runs.ts';
import { expiredTask, leaseTask, readyTask } from '../store/statements/tasks.ts';
import type { Store, StoreTransaction } from '../store/store.ts';

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

async function claim(tx: StoreTransaction, request: ClaimRequest, now: Instant): Promise<ClaimedTask | undefined> {
  const values = [request.queue, request.task_type, now];
  const [expired] = await tx.read(expiredTask, values);
  const [task] = expired ? [expired] : await tx.read(readyTask, values);
  if (task === undefined) return undefined;
  const attempt = task.attempt_count + 1;
  const expiresAt = now.plusSeconds(request.lease_seconds);
  tx.write(leaseTask, [now, request.lease_owner, expiresAt, attempt, now, task.id]);
  if (request.task_type === 'workflow' && task.run_status !== 'running') {
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
