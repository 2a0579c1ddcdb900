import type { Row } from '../store/statement.ts';
import type { timerById } from '../store/statements/timers.ts';
import type { openWaitById } from '../store/statements/waits.ts';

/** What the events of a timer's end say of it, and of the wait it belongs to. */
export function timerEventKeys(
  timer: Row<typeof timerById.columns>,
  wait: Row<typeof openWaitById.columns> | undefined,
): object {
  const group = timer.parallel_group === null ? {} : (JSON.parse(timer.parallel_group) as object);
  const ofWait =
    wait?.kind === 'condition'
      ? {
          condition_wait_id: wait.id,
          condition_key: wait.name ?? undefined,
          condition_definition_fingerprint: wait.fingerprint ?? undefined,
        }
      : wait?.kind === 'signal'
        ? { signal_wait_id: wait.id, signal_name: wait.name ?? undefined }
        : {};
  const { id: timer_id, delay_seconds, fire_at, kind: timer_kind } = timer;
  return { timer_id, delay_seconds, fire_at, timer_kind, ...ofWait, ...group };
}
