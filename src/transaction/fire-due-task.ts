import { Instant } from '../store/instant.ts';
import { dueTimerTasks, endTask, taskWithReceipt } from '../store/statements/tasks.ts';
import { fireTimer, timerById } from '../store/statements/timers.ts';
import { openWaitById, openWaitBySource } from '../store/statements/waits.ts';
import type { Store } from '../store/store.ts';
import { workflowFailures } from '../store/tables.ts';
import { applyClosePolicy } from './close-children.ts';
import { closeRun } from './close-run.ts';
import { inRun } from './in-run.ts';
import { resolveWait } from './resolve-wait.ts';
import type { RunContext } from './run-context.ts';
import { timeOutActivity } from './time-out-activity.ts';
import { timerEventKeys } from './timer-keys.ts';
import type { TransactionSettings } from './transaction.ts';
import { wakeAfterWait } from './wake-run.ts';

/** What a timer task does when it is due; exactly one key set is present. */
interface DuePayload {
  readonly timer_id?: string;
  readonly activity_execution_id?: string;
  readonly timeout_kind?: 'schedule_to_start' | 'schedule_to_close' | 'start_to_close';
  readonly task_id?: string;
  readonly run_deadline?: true;
  readonly close_children_of?: string;
}

/** Due tasks that one look takes at most. */
const batch = 200;

/**
 * Fires everything that is due: timers, time-outs, deadlines, children left to be closed. Each in a transaction of its own,
 * which looks again under the run's lock: many daemons may do so at once, and each task still fires once.
 * @returns how many fired, and whether there may be more.
 */
export async function fireDueTasks(
  store: Store,
  settings: TransactionSettings,
): Promise<{ readonly fired: number; readonly more: boolean }> {
  const due = await store.read(dueTimerTasks, [Instant.now(), batch]);
  let fired = 0;
  for (const task of due) if (await fireDueTask(store, settings, task.id, task.workflow_run_id)) fired += 1;
  return { fired, more: due.length === batch };
}

async function fireDueTask(
  store: Store,
  settings: TransactionSettings,
  taskId: string,
  runId: string,
): Promise<boolean> {
  return inRun(store, settings, runId, { mayEnd: true }, async context => {
    const [task] = await context.read(taskWithReceipt, [taskId]);
    if (task?.status !== 'ready') return false;
    const payload = (task.payload === null ? {} : JSON.parse(task.payload)) as DuePayload;
    context.write(endTask, ['completed', context.now, taskId]);
    if (payload.close_children_of !== undefined) await applyClosePolicy(context);
    else if (context.run.isClosed) return false;
    else if (payload.timer_id !== undefined) await fire(context, payload.timer_id);
    else if (payload.run_deadline) await timeOutRun(context);
    else if (payload.activity_execution_id !== undefined && payload.timeout_kind !== undefined)
      await timeOutActivity(context, payload.activity_execution_id, payload.timeout_kind, payload.task_id);
    return true;
  });
}

async function fire(context: RunContext, timerId: string): Promise<void> {
  const { now, run } = context;
  const [timer] = await context.read(timerById, [timerId]);
  if (timer?.status !== 'pending') return;
  context.write(fireTimer, [now, now, timerId]);
  const [wait] = timer.wait_id
    ? await context.read(openWaitById, [timer.wait_id])
    : await context.read(openWaitBySource, [run.id, timerId]);
  const event = context.event('TimerFired', { ...timerEventKeys(timer, wait), fired_at: now });
  context.holdEvent(event, { sequence: timer.sequence });
  if (wait?.kind === 'condition') {
    const keys = {
      condition_wait_id: wait.id,
      condition_key: wait.name ?? undefined,
      condition_definition_fingerprint: wait.fingerprint ?? undefined,
      timer_id: timerId,
      timeout_seconds: wait.timeout_seconds ?? undefined,
    };
    context.holdEvent(context.event('ConditionWaitTimedOut', keys), { sequence: wait.sequence });
  }
  if (wait) await resolveWait(context, wait, wait.kind === 'timer' ? 'resolved' : 'timed_out', timerId);
  await wakeAfterWait(context, wait?.parallel_group_id ?? null, false);
}

/** The run passed its deadline: it fails as timed out. */
async function timeOutRun(context: RunContext): Promise<void> {
  const { run, now } = context;
  const { executionDeadlineAt, runDeadlineAt } = run;
  const kind = runDeadlineAt && !runDeadlineAt.isAfter(now) ? 'run' : 'execution';
  const failureId = context.newId();
  const message = `the ${kind} timed out`;
  context.holdRow(
    context.row(workflowFailures, {
      id: failureId,
      source_kind: 'workflow_run',
      source_id: run.id,
      propagation_kind: 'terminal',
      failure_category: 'timeout',
      non_retryable: true,
      handled: false,
      message,
      created_at: now,
    }),
  );
  const payload = {
    failure_id: failureId,
    timeout_kind: kind,
    failure_category: 'timeout',
    message,
    execution_deadline_at: executionDeadlineAt ?? undefined,
    run_deadline_at: runDeadlineAt ?? undefined,
  };
  context.holdEvent(context.event('WorkflowTimedOut', payload));
  const failure = { id: failureId, category: 'timeout', message, nonRetryable: true };
  await closeRun(context, { status: 'failed', reason: 'timed_out', failure });
}
