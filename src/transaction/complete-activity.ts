import { encodeException } from '../commands/exception.ts';
import type { ActivityCompletion } from '../completion/activity-completion.ts';
import { Refusal } from '../completion/refusal.ts';
import { activityById } from '../store/statements/activities.ts';
import { endTask, taskWithReceipt } from '../store/statements/tasks.ts';
import type { Store } from '../store/store.ts';
import { workflowTaskCompletions } from '../store/tables.ts';
import { endAttempt } from './activity-end.ts';
import { checkFence, checkRunOpen } from './fence.ts';
import { inRun } from './in-run.ts';
import type { RunContext } from './run-context.ts';
import { activityOf } from './time-out-activity.ts';
import type { TransactionSettings } from './transaction.ts';

/** The return value of a finished `activity-completion` job. */
export interface ActivityOutcome {
  readonly outcome: 'completed';
  readonly recorded: boolean;
  readonly reason: 'already_completed' | null;
  readonly task_id: string;
  readonly run_id: string;
  readonly activity_execution_id: string;
  readonly created_task_ids: readonly string[];
}

/**
 * The end of a claimed activity's attempt as one transaction with receipt and fence: its events, the retry or the end, and
 * the run's wake-up.
 * @param enqueuedAtMs when the job was enqueued, milliseconds since the epoch.
 * @throws Refusal, StoreError as `applyCompletion`.
 */
export async function completeActivity(
  store: Store,
  settings: TransactionSettings,
  completion: ActivityCompletion,
  enqueuedAtMs: number,
): Promise<ActivityOutcome> {
  const { task_id: taskId } = completion;
  const notFound = () => new Refusal('task_not_found', `there is no activity task ${taskId}`);
  const [found] = await store.read(taskWithReceipt, [taskId]);
  if (found?.task_type !== 'activity') throw notFound();
  return inRun(store, settings, found.workflow_run_id, {}, async context => {
    const [task] = await context.read(taskWithReceipt, [taskId]);
    const executionId = activityOf(task?.payload ?? null);
    if (task === undefined || executionId === undefined) throw notFound();
    if (task.outcome !== null) {
      if (task.content_digest !== completion.contentDigest)
        throw new Refusal(
          'conflicting_completion',
          `activity task ${taskId} was completed by a completion with other content`,
        );
      return { ...(JSON.parse(task.outcome) as ActivityOutcome), recorded: false, reason: 'already_completed' };
    }
    if (task.status === 'cancelled') checkRunOpen(context.run, context.now);
    const fence = { ...completion, workflow_task_attempt: completion.activity_task_attempt };
    checkFence(task, fence, enqueuedAtMs);
    checkRunOpen(context.run, context.now);
    const [execution] = await context.read(activityById, [executionId]);
    if (execution === undefined) throw notFound();
    context.write(endTask, ['completed', context.now, taskId]);
    await endAttempt(context, execution, {
      outcome: completion.outcome,
      result: context.payload('result', completion.result, completion.payload_codec),
      message: completion.message,
      exceptionType: completion.exception_type,
      exceptionClass: completion.exception_class,
      exception: encodeException(completion.exception)?.blob,
      nonRetryable: completion.non_retryable ?? false,
      attempt: { taskId, leaseOwner: task.lease_owner, startedAt: task.leased_at ?? context.now },
    });
    return writeReceipt(context, completion, executionId);
  });
}

function writeReceipt(context: RunContext, completion: ActivityCompletion, executionId: string): ActivityOutcome {
  const outcome: ActivityOutcome = {
    outcome: 'completed',
    recorded: true,
    reason: null,
    task_id: completion.task_id,
    run_id: context.run.id,
    activity_execution_id: executionId,
    created_task_ids: context.tx.createdTaskIds,
  };
  context.tx.holdRow(
    context.row(workflowTaskCompletions, {
      task_id: completion.task_id,
      completion_id: completion.completion_id,
      content_digest: completion.contentDigest,
      workflow_task_attempt: completion.activity_task_attempt,
      outcome: JSON.stringify(outcome),
      recorded_at: context.now,
    }),
  );
  return outcome;
}
