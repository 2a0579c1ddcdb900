import { activityById } from '../store/statements/activities.ts';
import { endTask, openActivityTasks } from '../store/statements/tasks.ts';
import { endAttempt } from './activity-end.ts';
import type { RunContext } from './run-context.ts';

/** The activity that an activity task belongs to. */
export function activityOf(payload: string | null): string | undefined {
  return payload === null
    ? undefined
    : (JSON.parse(payload) as { activity_execution_id?: string }).activity_execution_id;
}

/**
 * A time-out of a scheduled activity is due. It does nothing when the activity went on in the meantime: it was started, the
 * attempt it belongs to has ended, its lease was lost and another worker has started it later, or it is closed.
 */
export async function timeOutActivity(
  context: RunContext,
  executionId: string,
  kind: 'schedule_to_start' | 'schedule_to_close' | 'start_to_close',
  attemptTaskId: string | undefined,
): Promise<void> {
  const [execution] = await context.read(activityById, [executionId]);
  if (execution === undefined || !['pending', 'running'].includes(execution.status)) return;
  const tasks = await context.read(openActivityTasks, [context.run.id]);
  const task = tasks.find(({ payload }) => activityOf(payload) === executionId);
  const started = task?.status === 'leased' && task.leased_at !== null ? task.leased_at : undefined;
  if (kind === 'schedule_to_start' && (started || execution.attempt_count > 0)) return;
  if (kind === 'start_to_close' && (!started || task?.id !== attemptTaskId)) return;
  if (kind === 'start_to_close' && execution.close_deadline_at?.isAfter(context.now)) return;
  if (task) context.write(endTask, ['cancelled', context.now, task.id]);
  await endAttempt(context, execution, {
    outcome: 'timed_out',
    timeoutKind: kind,
    message: `the activity passed its ${kind.replaceAll('_', '-')} time-out`,
    ...(task && started && { attempt: { taskId: task.id, leaseOwner: task.lease_owner, startedAt: started } }),
  });
}
