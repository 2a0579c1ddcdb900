import { list, query, write } from '../statement.ts';

const received = {
  id: 'text',
  workflow_command_id: 'text?',
  signal_name: 'text',
  signal_wait_id: 'text',
  payload_codec: 'text?',
  arguments: 'text?',
} as const;

/** Received, unapplied signals of a task's run, oldest first. Parameters: task id. */
export const receivedSignalsOfTask = query(
  'received-signals-of-task',
  received,
  `select ${list(received, 's.')} from workflow_signals s join workflow_commands c on c.id = s.workflow_command_id
    where s.workflow_run_id = (select workflow_run_id from workflow_tasks where id = ?) and s.status = 'received'
    order by c.command_sequence`,
);

/** Parameters: run id. */
export const countReceivedSignals = query(
  'count-received-signals',
  { pending: 'int' },
  `select count(*) as pending from workflow_signals where workflow_run_id = ? and status = 'received'`,
);

/** Parameters: applied at, updated at, signal id. */
export const applySignal = write(
  'apply-signal',
  `update workflow_signals set status = 'applied', applied_at = ?, updated_at = ? where id = ?`,
);
