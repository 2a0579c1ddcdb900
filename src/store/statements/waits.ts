import { query } from '../statement.ts';

/** The run's first open wait. Parameters: run id. */
export const firstOpenWait = query(
  'first-open-wait',
  { id: 'text', kind: 'text', name: 'text?' },
  `select id, kind, name from workflow_run_waits where workflow_run_id = ? and status = 'open' order by sequence, id limit 1`,
);
