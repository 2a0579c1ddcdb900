import type { Row } from '../store/statement.ts';
import { endTask } from '../store/statements/tasks.ts';
import { cancelTimer, timerById } from '../store/statements/timers.ts';
import { endWait, type openWaitById } from '../store/statements/waits.ts';
import type { RunContext } from './run-context.ts';
import { timerEventKeys } from './timer-keys.ts';

type Wait = Row<typeof openWaitById.columns>;

/** Ends an open wait, with the timer of its time-out when that has not fired. */
export async function resolveWait(
  context: RunContext,
  wait: Wait,
  status: 'resolved' | 'timed_out',
  firedTimerId?: string,
): Promise<void> {
  const { now, run } = context;
  context.write(endWait, [status, now, now, wait.id]);
  if (run.openWait?.id === wait.id) run.openWaitGone = true;
  if (wait.timer_id === null || wait.timer_id === firedTimerId) return;
  const [timer] = await context.read(timerById, [wait.timer_id]);
  if (timer?.status !== 'pending') return;
  context.write(cancelTimer, [now, now, timer.id]);
  if (timer.workflow_task_id) context.write(endTask, ['cancelled', now, timer.workflow_task_id]);
  const event = context.event('TimerCancelled', { ...timerEventKeys(timer, wait), cancelled_at: now });
  context.holdEvent(event, { sequence: timer.sequence });
}
