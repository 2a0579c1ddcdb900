import { list, query, write } from '../statement.ts';

const timer = {
  id: 'text',
  workflow_run_id: 'text',
  sequence: 'bigint',
  kind: 'text',
  status: 'text',
  delay_seconds: 'int',
  wait_id: 'text?',
  workflow_task_id: 'text?',
  parallel_group: 'json?',
  fire_at: 'time',
} as const;

/** Parameters: timer id. */
export const timerById = query('timer-by-id', timer, `select ${list(timer)} from workflow_run_timers where id = ?`);

/** Parameters: fired at, updated at, timer id. */
export const fireTimer = write(
  'fire-timer',
  `update workflow_run_timers set status = 'fired', fired_at = ?, updated_at = ? where id = ?`,
);

/** Parameters: cancelled at, updated at, timer id. */
export const cancelTimer = write(
  'cancel-timer',
  `update workflow_run_timers set status = 'cancelled', cancelled_at = ?, updated_at = ? where id = ?`,
);
