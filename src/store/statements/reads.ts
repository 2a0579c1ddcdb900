import { list, query } from '../statement.ts';
import {
  activityAttempts,
  activityExecutions,
  workflowRunSummaries,
  workflowRuns,
  workflowRunWaits,
} from '../tables.ts';

/** Parameters: run id. */
export const runById = query(
  'run-by-id',
  workflowRuns.columns,
  `select ${list(workflowRuns.columns)} from workflow_runs where id = ?`,
);

/** Parameters: run id. */
export const summaryOfRun = query(
  'summary-of-run',
  workflowRunSummaries.columns,
  `select ${list(workflowRunSummaries.columns)} from workflow_run_summaries where workflow_run_id = ?`,
);

/** Parameters: run id. */
export const waitsOfRun = query(
  'waits-of-run',
  workflowRunWaits.columns,
  `select ${list(workflowRunWaits.columns)} from workflow_run_waits where workflow_run_id = ? order by sequence, id`,
);

const event = {
  sequence: 'bigint',
  event_type: 'text',
  payload: 'json',
  workflow_task_id: 'text?',
  recorded_at: 'time',
} as const;

/** A page of a history. Parameters: run id, sequence behind which to go on, limit. */
export const historyPage = query(
  'history-page',
  event,
  `select ${list(event)} from workflow_history_events where workflow_run_id = ? and sequence > ? order by sequence limit ?`,
);

/** Parameters: run id. */
export const activitiesOfRun = query(
  'activities-of-run',
  activityExecutions.columns,
  `select ${list(activityExecutions.columns)} from activity_executions where workflow_run_id = ? order by sequence`,
);

/** Parameters: run id. */
export const attemptsOfRun = query(
  'attempts-of-run',
  activityAttempts.columns,
  `select ${list(activityAttempts.columns)} from activity_attempts
    where workflow_run_id = ? order by activity_execution_id, attempt_number`,
);

const listed = {
  id: 'text',
  workflow_instance_id: 'text',
  run_number: 'int',
  workflow_type: 'text',
  status: 'text',
  closed_reason: 'text?',
  queue: 'text?',
  last_history_sequence: 'bigint',
  started_at: 'time?',
  closed_at: 'time?',
  created_at: 'time',
  wait_kind: 'text?',
  wait_reason: 'text?',
} as const;

/**
 * Runs, newest first. The empty text leaves a condition out. Parameters: before id (exclusive), status
 * twice, type twice, workflow id twice, what is searched for, its pattern three times, limit.
 */
export const runsPage = query(
  'runs-page',
  listed,
  `select r.id, r.workflow_instance_id, r.run_number, r.workflow_type, r.status, r.closed_reason, r.queue,
      r.last_history_sequence, r.started_at, r.closed_at, r.created_at, s.wait_kind, s.wait_reason
    from workflow_runs r join workflow_run_summaries s on s.workflow_run_id = r.id
    where r.id < ? and (r.status = ? or '' = ?) and (r.workflow_type = ? or '' = ?)
      and (r.workflow_instance_id = ? or '' = ?)
      and ('' = ? or lower(r.id) like ? escape '!' or lower(r.workflow_instance_id) like ? escape '!'
        or lower(r.workflow_type) like ? escape '!')
    order by r.id desc limit ?`,
);
