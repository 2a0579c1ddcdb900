import { list, query, write } from '../statement.ts';

const call = {
  id: 'text',
  workflow_run_id: 'text',
  sequence: 'bigint',
  workflow_link_id: 'text',
  child_workflow_instance_id: 'text',
  child_workflow_run_id: 'text',
  child_workflow_type: 'text',
  parent_close_policy: 'text',
  attempt_count: 'int',
  retry_policy: 'json?',
  parallel_group: 'json?',
} as const;

/** Open calls of a run's children whose end follows its own, oldest first. Parameters: run id, limit. */
export const openPolicyChildren = query(
  'open-policy-children',
  call,
  `select ${list(call)} from workflow_child_calls
    where workflow_run_id = ? and status = 'open' and parent_close_policy <> 'abandon' order by id limit ?`,
);

/** The open call that a run is the child of. Parameters: child run id. */
export const openParentCall = query(
  'open-parent-call',
  { ...call, child_run_number: 'int' },
  `select ${list(call, 'c.')}, r.run_number as child_run_number
    from workflow_child_calls c join workflow_runs r on r.id = c.child_workflow_run_id
    where c.child_workflow_run_id = ? and c.status = 'open'`,
);

/** Ends a child call. Parameters: status, closed reason, closed at, updated at, call id. */
export const closeChildCall = write(
  'close-child-call',
  'update workflow_child_calls set status = ?, closed_reason = ?, closed_at = ?, updated_at = ? where id = ?',
);

/** Follows a child to its next run. Parameters: next run id, updated at, current run id. */
export const moveChildCall = write(
  'move-child-call',
  `update workflow_child_calls set child_workflow_run_id = ?, updated_at = ?
    where child_workflow_run_id = ? and status = 'open'`,
);

/** Parameters: current run id, run count, updated at, instance id. */
export const advanceInstance = write(
  'advance-instance',
  'update workflow_instances set current_run_id = ?, run_count = ?, updated_at = ? where id = ?',
);

/** What a child's next attempt is started with. Parameters: run id. */
export const runToRepeat = query(
  'run-to-repeat',
  {
    workflow_class: 'text?',
    payload_codec: 'text',
    arguments: 'text?',
    execution_deadline_at: 'time?',
    run_timeout_seconds: 'int?',
    run_count: 'int',
    run_number: 'int',
  },
  `select r.workflow_class, r.payload_codec, r.arguments, r.execution_deadline_at, r.run_timeout_seconds, i.run_count,
      r.run_number
    from workflow_runs r join workflow_instances i on i.id = r.workflow_instance_id where r.id = ?`,
);

/** Parameters: attempt count, child run id, updated at, call id. */
export const repeatChildCall = write(
  'repeat-child-call',
  'update workflow_child_calls set attempt_count = ?, child_workflow_run_id = ?, updated_at = ? where id = ?',
);

/** Parameters: instance id. */
export const instanceById = query('instance-by-id', { id: 'text' }, 'select id from workflow_instances where id = ?');
