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

/** Ids of tasks whose lease ran out, the longest ago first; not locked. Parameters: queue, task type, now, limit. */
export const expiredTaskIds = query(
  'expired-task-ids',
  { id: 'text' },
  `select id from workflow_tasks where queue = ? and task_type = ? and status = 'leased' and lease_expires_at <= ?
    order by lease_expires_at, id limit ?`,
);

/** Ids of ready tasks, the oldest first; not locked. Parameters: queue, task type, now, limit. */
export const readyTaskIds = query(
  'ready-task-ids',
  { id: 'text' },
  `select id from workflow_tasks where queue = ? and task_type = ? and status = 'ready' and available_at <= ?
    order by available_at, id limit ?`,
);

/**
 * The task that a claim takes, if it still can be taken and nobody else has locked it or its run: claims never wait, and
 * never deadlock with a completion. By id, since a scan would lock tasks of others in passing. Parameters: task id, now, now.
 */
export const lockClaimableTask = query(
  'lock-claimable-task',
  claimable,
  grammar => `select t.id, t.workflow_run_id, t.namespace, t.queue, t.payload, t.attempt_count, r.status as run_status,
      r.workflow_instance_id, r.workflow_type, r.last_history_sequence
    from workflow_tasks t join workflow_runs r on r.id = t.workflow_run_id
    where t.id = ? and ((t.status = 'ready' and t.available_at <= ?) or (t.status = 'leased' and t.lease_expires_at <= ?))
    ${grammar.forUpdateSkipLocked}`,
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
