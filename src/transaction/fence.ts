import { Refusal } from '../completion/refusal.ts';
import { Instant } from '../store/instant.ts';
import type { Row } from '../store/statement.ts';
import type { taskWithReceipt } from '../store/statements/tasks.ts';
import type { RunState } from './run-state.ts';

type Task = Row<typeof taskWithReceipt.columns>;

/** Which claim a completion says it comes from. */
interface Claim {
  readonly lease_owner: string;
  /** The fencing token. */
  readonly workflow_task_attempt: number;
}

/**
 * Checks that the completion comes from the claim in force. Time spent waiting in the queue never expires a lease: what
 * counts is when the job was enqueued, and that no later attempt has claimed the task.
 * @throws Refusal naming what does not match.
 */
export function checkFence(task: Task, completion: Claim, enqueuedAtMs: number): void {
  const { id, status, attempt_count, lease_owner, lease_expires_at } = task;
  if (status !== 'leased') throw new Refusal('task_not_leased', `task ${id} is ${status}, not leased`);
  if (lease_owner !== completion.lease_owner)
    throw new Refusal('lease_owner_mismatch', `task ${id} is leased to another owner than ${completion.lease_owner}`);
  if (attempt_count !== completion.workflow_task_attempt)
    throw new Refusal(
      'workflow_task_attempt_mismatch',
      `task ${id} is at attempt ${attempt_count}, the completion is of attempt ${completion.workflow_task_attempt}`,
    );
  if (lease_expires_at && !lease_expires_at.isAfter(Instant.fromMs(enqueuedAtMs)))
    throw new Refusal(
      'lease_expired',
      `the lease of task ${id} ran out at ${lease_expires_at}, before the job was enqueued`,
    );
}

/** @throws Refusal `run_timed_out` or `run_closed` when the run takes no completion any more. */
export function checkRunOpen(run: RunState, now: Instant): void {
  const deadline = [run.executionDeadlineAt, run.runDeadlineAt].find(at => at !== null && !at.isAfter(now));
  if (run.closedReason === 'timed_out' || (!run.isClosed && deadline))
    throw new Refusal('run_timed_out', `run ${run.id} has passed its deadline`);
  if (run.isClosed) throw new Refusal('run_closed', `run ${run.id} is ${run.status}`);
}
