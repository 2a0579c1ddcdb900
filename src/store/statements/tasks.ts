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
