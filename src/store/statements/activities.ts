import { list, query, write } from '../statement.ts';

const execution = {
  id: 'text',
  workflow_run_id: 'text',
  sequence: 'bigint',
  activity_type: 'text',
  status: 'text',
  payload_codec: 'text?',
  queue: 'text?',
  connection: 'text?',
  attempt_count: 'int',
  current_attempt_id: 'text?',
  retry_policy: 'json?',
  activity_options: 'json?',
  close_deadline_at: 'time?',
  schedule_to_close_deadline_at: 'time?',
  started_at: 'time?',
} as const;

/** Parameters: execution id. */
export const activityById = query(
  'activity-by-id',
  execution,
  `select ${list(execution)} from activity_executions where id = ?`,
);

/** An activity task was claimed. Parameters: started at, close deadline, updated at, execution id. */
export const startActivity = write(
  'start-activity',
  `update activity_executions set status = 'running', started_at = ?, close_deadline_at = ?, updated_at = ? where id = ?`,
);

/**
 * Parameters: status, payload codec, result, exception, attempt count, current attempt id, close deadline, closed at,
 * updated at, execution id.
 */
export const updateActivity = write(
  'update-activity',
  `update activity_executions set status = ?, payload_codec = ?, result = ?, exception = ?, attempt_count = ?,
    current_attempt_id = ?, close_deadline_at = ?, closed_at = ?, updated_at = ? where id = ?`,
);
