import { query, write } from '../statement.ts';

/** What of a run may still be open, with the statuses that say so. */
const openParts = {
  waits: `workflow_run_waits p where p.status = 'open'`,
  timers: `workflow_run_timers p where p.status = 'pending'`,
  activities: `activity_executions p where p.status in ('pending', 'running')`,
  signals: `workflow_signals p where p.status = 'received'`,
  updates: `workflow_updates p where p.status = 'accepted'`,
  tasks: `workflow_tasks p where p.status in ('ready', 'leased')`,
} as const;

const partExists = ([part, source]: [string, string]) =>
  `exists (select 1 from ${source} and p.workflow_run_id = r.id) as ${part}`;

/** Which kinds of things of a run are still open. Parameters: run id. */
export const openPartsOfRun = query(
  'open-parts-of-run',
  { waits: 'bool', timers: 'bool', activities: 'bool', signals: 'bool', updates: 'bool', tasks: 'bool' },
  `select ${Object.entries(openParts).map(partExists).join(', ')} from workflow_runs r where r.id = ?`,
);

const count = (table: string, statuses: string) =>
  `(select count(*) from ${table} p where p.workflow_run_id = r.id and p.status in (${statuses}))`;

/** How many things of a run are pending, against the limits. Parameters: run id. */
export const pendingCountsOfRun = query(
  'pending-counts-of-run',
  { activities: 'int', children: 'int', timers: 'int' },
  `select ${count('activity_executions', `'pending', 'running'`)} as activities,
    ${count('workflow_child_calls', `'open'`)} as children,
    ${count('workflow_run_timers', `'pending'`)} as timers from workflow_runs r where r.id = ?`,
);

/** Parameters of all: closed at, updated at, run id. */
export const cancelOpenWaits = write(
  'cancel-open-waits',
  `update workflow_run_waits set status = 'cancelled', resolved_at = ?, updated_at = ?
    where workflow_run_id = ? and status = 'open'`,
);
export const cancelOpenTimers = write(
  'cancel-open-timers',
  `update workflow_run_timers set status = 'cancelled', cancelled_at = ?, updated_at = ?
    where workflow_run_id = ? and status = 'pending'`,
);
export const cancelOpenActivities = write(
  'cancel-open-activities',
  `update activity_executions set status = 'cancelled', closed_at = ?, updated_at = ?
    where workflow_run_id = ? and status in ('pending', 'running')`,
);
export const rejectOpenSignals = write(
  'reject-open-signals',
  `update workflow_signals set status = 'rejected', closed_at = ?, updated_at = ?
    where workflow_run_id = ? and status = 'received'`,
);

/** Cancels a closed run's other tasks. Parameters: updated at, run id, id of the task that closes it. */
export const cancelOpenTasks = write(
  'cancel-open-tasks',
  `update workflow_tasks set status = 'cancelled', updated_at = ?
    where workflow_run_id = ? and status in ('ready', 'leased') and id <> ?`,
);
