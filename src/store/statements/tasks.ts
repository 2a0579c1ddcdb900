import { list, query, write } from '../statement.ts';

const task = {
  id: 'text',
  workflow_run_id: 'text',
  task_type: 'text',
  status: 'text',
  payload: 'json?',
  queue: 'text?',
  connection: 'text?',
  lease_owner: 'text?',
  leased_at: 'time?',
  lease_expires_at: 'time?',
  attempt_count: 'int',
} as const;

const receipt = { completion_id: 'text?', content_digest: 'text?', outcome: 'json?' } as const;

/** A task with the receipt of its completion, if it has one. Parameters: task id. */
export const taskWithReceipt = query(
  'task-with-receipt',
  { ...task, ...receipt },
  `select ${list(task, 't.')}, ${list(receipt, 'c.')}
    from workflow_tasks t left join workflow_task_completions c on c.task_id = t.id where t.id = ?`,
);

/** Ends a task. Parameters: status, updated at, task id. */
export const endTask = write('end-task', 'update workflow_tasks set status = ?, updated_at = ? where id = ?');

const claimable = {
  id: 'text',
  workflow_run_id: 'text',
  namespace: 'text',
  queue: 'text?',
  payload: 'json?',
  attempt_count: 'int',
  run_status: 'text',
  workflow_instance_id: 'text',
  workflow_type: 'text',
  last_history_sequence: 'bigint',
} as const;

const claimableTasks = `select t.id, t.workflow_run_id, t.namespace, t.queue, t.payload, t.attempt_count, r.status as run_status, r.workflow_instance_id,
    r.workflow_type, r.last_history_sequence
  from workflow_tasks t join workflow_runs r on r.id = t.workflow_run_id
  where t.queue = ? and t.task_type = ?`;

/**
 * The task that a claim takes: one whose lease ran out. Locks task and run, and passes over those that somebody else has
 * locked, so that claims never wait and never deadlock with a completion. Parameters: queue, task type, now.
 */
export const expiredTask = query(
  'expired-task',
  claimable,
  grammar => `${claimableTasks} and t.status = 'leased' and t.lease_expires_at <= ?
    order by t.lease_expires_at, t.id limit 1 ${grammar.forUpdateSkipLocked}`,
);

/** The same for the oldest ready task. Parameters: queue, task type, now. */
export const readyTask = query(
  'ready-task',
  claimable,
  grammar => `${claimableTasks} and t.status = 'ready' and t.available_at <= ?
    order by t.available_at, t.id limit 1 ${grammar.forUpdateSkipLocked}`,
);

/** Leases a task. Parameters: leased at, owner, lease expires at, attempt, updated at, task id. */
export const leaseTask = write(
  'lease-task',
  `update workflow_tasks set status = 'leased', leased_at = ?, lease_owner = ?, lease_expires_at = ?, attempt_count = ?,
    updated_at = ? where id = ?`,
);

/** The workflow task that will carry a run on, if there is one. Parameters: run id. */
export const openWorkflowTask = query(
  'open-workflow-task',
  { id: 'text', status: 'text', payload: 'json?' },
  `select id, status, payload from workflow_tasks
    where workflow_run_id = ? and task_type = 'workflow' and status in ('ready', 'leased') order by id limit 1`,
);

/** Tells the holder's completion to wake the run again. Parameters: payload, updated at, task id. */
export const requestResume = write(
  'request-resume',
  'update workflow_tasks set payload = ?, updated_at = ? where id = ?',
);

/** Timer tasks that are due, oldest first. Parameters: now, limit. */
export const dueTimerTasks = query(
  'due-timer-tasks',
  { id: 'text', workflow_run_id: 'text' },
  `select id, workflow_run_id from workflow_tasks
    where status = 'ready' and task_type = 'timer' and available_at <= ? order by available_at, id limit ?`,
);

/** Open activity tasks of a run; the payload says of which activity. Parameters: run id. */
export const openActivityTasks = query(
  'open-activity-tasks',
  { id: 'text', status: 'text', payload: 'json?', lease_owner: 'text?', leased_at: 'time?' },
  `select id, status, payload, lease_owner, leased_at from workflow_tasks
    where workflow_run_id = ? and task_type = 'activity' and status in ('ready', 'leased') order by id`,
);
