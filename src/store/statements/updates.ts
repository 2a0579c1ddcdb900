import { list, query, write } from '../statement.ts';

const update = {
  id: 'text',
  workflow_command_id: 'text?',
  update_name: 'text',
  status: 'text',
  payload_codec: 'text?',
  arguments: 'text?',
} as const;

/** An update of a run. Parameters: update id, run id. */
export const updateOfRun = query(
  'update-of-run',
  update,
  `select ${list(update)} from workflow_updates where id = ? and workflow_run_id = ?`,
);

/** Accepted, unanswered updates of a run, oldest first. Parameters: run id. */
export const openUpdates = query(
  'open-updates',
  update,
  `select ${list(update, 'u.')} from workflow_updates u join workflow_commands c on c.id = u.workflow_command_id
    where u.workflow_run_id = ? and u.status = 'accepted' order by c.command_sequence`,
);

/** Parameters: run id. */
export const countOpenUpdates = query(
  'count-open-updates',
  { pending: 'int' },
  `select count(*) as pending from workflow_updates where workflow_run_id = ? and status = 'accepted'`,
);

/**
 * Ends an update. Parameters: status, payload codec, result, failure id, failure message, applied at, closed at, updated at,
 * update id.
 */
export const endUpdate = write(
  'end-update',
  `update workflow_updates set status = ?, payload_codec = ?, result = ?, failure_id = ?, failure_message = ?,
    applied_at = ?, closed_at = ?, updated_at = ? where id = ?`,
);
