import { query } from '../statement.ts';

/** A command that came from outside under this request id. Parameters: instance id, request id. */
export const commandByRequest = query(
  'command-by-request',
  { id: 'text', workflow_run_id: 'text', command_type: 'text', outcome: 'text?', status: 'text' },
  `select id, workflow_run_id, command_type, outcome, status from workflow_commands
    where workflow_instance_id = ? and request_id = ?`,
);

/** Parameters: run id. */
export const lastCommandSequence = query(
  'last-command-sequence',
  { last: 'int?' },
  'select max(command_sequence) as last from workflow_commands where workflow_run_id = ?',
);
