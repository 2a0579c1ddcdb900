import type { Instant } from '../store/instant.ts';
import { workflowRunTimers, workflowTasks } from '../store/tables.ts';
import type { ApplyContext, EventDraft, PrepareContext, RowDraft } from './command.ts';

/** A timer with the task that fires it. */
export interface PreparedTimer {
  readonly id: string;
  readonly fireAt: Instant;
  readonly rows: readonly RowDraft[];
  readonly event: EventDraft;
  /** Holds rows and event under the step that the timer belongs to. */
  hold(tx: ApplyContext, sequence: bigint): void;
}

/** A timer of a kind; `keys` are further keys of its `TimerScheduled`. */
export function prepareTimer(
  context: PrepareContext,
  kind: 'timer' | 'condition_timeout' | 'signal_timeout',
  delaySeconds: number,
  waitId: string | undefined,
  keys: object,
  parallelGroup?: object,
): PreparedTimer {
  const id = context.newId();
  const { now } = context;
  const fireAt = now.plusSeconds(delaySeconds);
  const task = context.row(workflowTasks, {
    id: context.newId(),
    task_type: 'timer',
    status: 'ready',
    payload: JSON.stringify({ timer_id: id }),
    available_at: fireAt,
  });
  const timer = context.row(workflowRunTimers, {
    id,
    kind,
    status: 'pending',
    delay_seconds: delaySeconds,
    wait_id: waitId ?? null,
    workflow_task_id: task.row.id ?? null,
    parallel_group: parallelGroup ? JSON.stringify(parallelGroup) : null,
    fire_at: fireAt,
    created_at: now,
    updated_at: now,
  });
  const event = context.event('TimerScheduled', {
    timer_id: id,
    delay_seconds: delaySeconds,
    fire_at: fireAt,
    timer_kind: kind,
    ...keys,
    ...parallelGroup,
  });
  return {
    id,
    fireAt,
    rows: [timer, task],
    event,
    hold(tx, sequence) {
      tx.holdRow(timer, { sequence });
      tx.holdTask(task);
      tx.holdEvent(event, { sequence });
    },
  };
}

/** The timer of a wait with a time-out; none when the time-out is absent or 0. */
export function prepareWaitTimer(
  context: PrepareContext,
  kind: 'condition_timeout' | 'signal_timeout',
  timeoutSeconds: number | undefined,
  waitId: string,
  keys: object,
): PreparedTimer | undefined {
  return timeoutSeconds ? prepareTimer(context, kind, timeoutSeconds, waitId, keys) : undefined;
}
