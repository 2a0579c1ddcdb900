import { list, query, write } from '../statement.ts';

const wait = {
  id: 'text',
  kind: 'text',
  name: 'text?',
  sequence: 'bigint',
  fingerprint: 'text?',
  timer_id: 'text?',
  parallel_group_id: 'text?',
  timeout_seconds: 'int?',
} as const;

/** The run's first open wait. Parameters: run id. */
export const firstOpenWait = query(
  'first-open-wait',
  { id: 'text', kind: 'text', name: 'text?' },
  `select id, kind, name from workflow_run_waits where workflow_run_id = ? and status = 'open' order by sequence, id limit 1`,
);

/** The first open wait for a signal. Parameters: run id, signal name. */
export const openSignalWaitByName = query(
  'open-signal-wait-by-name',
  wait,
  `select ${list(wait)} from workflow_run_waits
    where workflow_run_id = ? and status = 'open' and kind = 'signal' and name = ? order by sequence, id limit 1`,
);

/** A wait that is still open. Parameters: wait id. */
export const openWaitById = query(
  'open-wait-by-id',
  wait,
  `select ${list(wait)} from workflow_run_waits where id = ? and status = 'open'`,
);

/** The open wait for a timer, an activity or a child. Parameters: run id, source id. */
export const openWaitBySource = query(
  'open-wait-by-source',
  wait,
  `select ${list(wait)} from workflow_run_waits where workflow_run_id = ? and source_id = ? and status = 'open'`,
);

/** Members of a parallel group that are still waited for. Parameters: run id, group id. */
export const openGroupMembers = query(
  'open-group-members',
  { open: 'int' },
  `select count(*) as open from workflow_run_waits
    where workflow_run_id = ? and status = 'open' and parallel_group_id = ?`,
);

/** Parameters: status, resolved at, updated at, wait id. */
export const endWait = write(
  'end-wait',
  'update workflow_run_waits set status = ?, resolved_at = ?, updated_at = ? where id = ?',
);
