import { list, query, write } from '../statement.ts';

const run = {
  id: 'text',
  workflow_instance_id: 'text',
  namespace: 'text',
  workflow_type: 'text',
  status: 'text',
  closed_reason: 'text?',
  payload_codec: 'text',
  connection: 'text?',
  queue: 'text?',
  last_history_sequence: 'bigint',
  last_step_sequence: 'bigint',
  execution_deadline_at: 'time?',
  run_deadline_at: 'time?',
} as const;

const summary = {
  wait_kind: 'text?',
  wait_reason: 'text?',
  open_wait_id: 'text?',
  next_task_id: 'text?',
  history_event_count: 'bigint',
  history_size_bytes: 'bigint',
  exception_count: 'int',
} as const;

/** A run with its counters, as a transaction locks it. */
export const lockedRunColumns = { ...run, ...summary } as const;

const lockedRuns = `select ${list(run, 'r.')}, ${list(summary, 's.')}
  from workflow_runs r join workflow_run_summaries s on s.workflow_run_id = r.id`;

/** Locks the run of a task. Parameters: task id. */
export const lockRunOfTask = query(
  'lock-run-of-task',
  lockedRunColumns,
  grammar =>
    `${lockedRuns} where r.id = (select workflow_run_id from workflow_tasks where id = ?) ${grammar.forUpdate}`,
);

/** Locks a run. Parameters: run id. */
export const lockRun = query(
  'lock-run',
  lockedRunColumns,
  grammar => `${lockedRuns} where r.id = ? ${grammar.forUpdate}`,
);

/** Writes what a transaction changed of a run. Parameters: status, last step sequence, last progress at, updated at, run id. */
export const updateRun = write(
  'update-run',
  'update workflow_runs set status = ?, last_step_sequence = ?, last_progress_at = ?, updated_at = ? where id = ?',
);

/**
 * The same for a run that ended. Parameters: status, closed reason, output, output codec, closed at, last step sequence,
 * last progress at, updated at, run id.
 */
export const endRunRow = write(
  'end-run',
  `update workflow_runs set status = ?, closed_reason = ?, output = ?, output_payload_codec = ?, closed_at = ?,
    last_step_sequence = ?, last_progress_at = ?, updated_at = ? where id = ?`,
);

/**
 * Parameters: status, status bucket, wait kind, wait reason, open wait id, next task id, event count, size in bytes,
 * exception count, continue-as-new recommended, budget pressure, updated at, run id.
 */
export const updateSummary = write(
  'update-summary',
  `update workflow_run_summaries set status = ?, status_bucket = ?, wait_kind = ?, wait_reason = ?, open_wait_id = ?,
    next_task_id = ?, history_event_count = ?, history_size_bytes = ?, exception_count = ?,
    continue_as_new_recommended = ?, history_budget_pressure = ?, updated_at = ? where workflow_run_id = ?`,
);

/** Parameters: status, updated at, run id. */
export const setRunStatus = write('set-run-status', 'update workflow_runs set status = ?, updated_at = ? where id = ?');

/** Parameters: status, updated at, run id. */
export const setSummaryStatus = write(
  'set-summary-status',
  'update workflow_run_summaries set status = ?, updated_at = ? where workflow_run_id = ?',
);

/** The instance with its current run. Parameters: instance id. */
export const instanceWithRun = query(
  'instance-with-run',
  { id: 'text', run_count: 'int', current_run_id: 'text?', status: 'text?', queue: 'text?' },
  `select i.id, i.run_count, i.current_run_id, r.status, r.queue
    from workflow_instances i left join workflow_runs r on r.id = i.current_run_id where i.id = ?`,
);
