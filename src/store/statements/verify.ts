import { query } from '../statement.ts';

/** A rule that stored data keep; the query finds the runs that break it. */
export interface Rule {
  readonly problem: string;
  /** Rows of `run_id` and `detail`; the text ends where a condition on `r.id` may follow. */
  readonly sql: string;
}

const open = `r.status in ('pending', 'running', 'waiting')`;

const leftOpen = (problem: string, table: string, statuses: string, extra = ''): Rule => ({
  problem,
  sql: `select r.id as run_id, p.id as detail from workflow_runs r join ${table} p on p.workflow_run_id = r.id
    where not ${open} and p.status in (${statuses})${extra}`,
});

/** What `verify` asks of the database as a whole; what needs a run's events is in `verify.ts`. */
export const rules: readonly Rule[] = [
  {
    problem: 'the history has a gap, or does not end at last_history_sequence',
    sql: `select r.id as run_id, e.events as detail from workflow_runs r
      left join (select workflow_run_id, count(*) as events, max(sequence) as last, min(sequence) as first
        from workflow_history_events group by workflow_run_id) e on e.workflow_run_id = r.id
      where (e.events is null or e.last <> r.last_history_sequence or e.last - e.first + 1 <> e.events or e.first <> 1)`,
  },
  {
    problem: 'the summary counts other events than the history has',
    sql: `select r.id as run_id, s.history_event_count as detail from workflow_runs r
      join workflow_run_summaries s on s.workflow_run_id = r.id
      where s.history_event_count <> (select count(*) from workflow_history_events e where e.workflow_run_id = r.id)`,
  },
  {
    problem: 'the summary counts other failures than are stored',
    sql: `select r.id as run_id, s.exception_count as detail from workflow_runs r
      join workflow_run_summaries s on s.workflow_run_id = r.id
      where s.exception_count <> (select count(*) from workflow_failures f where f.workflow_run_id = r.id)`,
  },
  {
    problem: 'the run has no summary, or one of another status',
    sql: `select r.id as run_id, s.status as detail from workflow_runs r
      left join workflow_run_summaries s on s.workflow_run_id = r.id where (s.status is null or s.status <> r.status)`,
  },
  {
    problem: 'the summary shows a wait that is not open',
    sql: `select r.id as run_id, s.open_wait_id as detail from workflow_runs r
      join workflow_run_summaries s on s.workflow_run_id = r.id
      where s.open_wait_id is not null and not exists
        (select 1 from workflow_run_waits w where w.id = s.open_wait_id and w.status = 'open')`,
  },
  {
    problem: 'a wait is open that the summary does not know of',
    sql: `select r.id as run_id, s.status as detail from workflow_runs r
      join workflow_run_summaries s on s.workflow_run_id = r.id
      where s.open_wait_id is null and exists
        (select 1 from workflow_run_waits w where w.workflow_run_id = r.id and w.status = 'open')`,
  },
  {
    problem: 'a run ended without the moment it did, or goes on with one',
    sql: `select r.id as run_id, r.status as detail from workflow_runs r
      where ((${open} and r.closed_at is not null) or (not ${open} and r.closed_at is null))`,
  },
  {
    problem: 'a step is beyond last_step_sequence',
    sql: `select r.id as run_id, a.id as detail from workflow_runs r
      join activity_executions a on a.workflow_run_id = r.id where a.sequence > r.last_step_sequence`,
  },
  {
    problem: 'an activity has other attempts than it counts',
    sql: `select r.id as run_id, a.id as detail from workflow_runs r
      join activity_executions a on a.workflow_run_id = r.id
      where a.attempt_count <> (select count(*) from activity_attempts t where t.activity_execution_id = a.id)`,
  },
  {
    problem: 'a failed activity has no failure',
    sql: `select r.id as run_id, a.id as detail from workflow_runs r
      join activity_executions a on a.workflow_run_id = r.id
      where a.status in ('failed', 'timed_out') and not exists
        (select 1 from workflow_failures f where f.workflow_run_id = r.id and f.source_id = a.id)`,
  },
  {
    problem: 'a receipt belongs to a task that is not completed',
    sql: `select r.id as run_id, t.id as detail from workflow_runs r join workflow_tasks t on t.workflow_run_id = r.id
      join workflow_task_completions c on c.task_id = t.id where t.status <> 'completed'`,
  },
  {
    problem: 'a completed task has no receipt',
    sql: `select r.id as run_id, t.id as detail from workflow_runs r join workflow_tasks t on t.workflow_run_id = r.id
      where t.status = 'completed' and t.task_type in ('workflow', 'activity') and not exists
        (select 1 from workflow_task_completions c where c.task_id = t.id)`,
  },
  {
    problem: 'the run has more than one open workflow task',
    sql: `select r.id as run_id, t.open as detail from workflow_runs r join
      (select workflow_run_id, count(*) as open from workflow_tasks
        where task_type = 'workflow' and status in ('ready', 'leased') group by workflow_run_id) t
      on t.workflow_run_id = r.id where t.open > 1`,
  },
  {
    problem: 'a pending timer has no ready task',
    sql: `select r.id as run_id, p.id as detail from workflow_runs r join workflow_run_timers p on p.workflow_run_id = r.id
      where p.status = 'pending' and not exists
        (select 1 from workflow_tasks t where t.id = p.workflow_task_id and t.status in ('ready', 'leased'))`,
  },
  {
    problem: 'a child is closed and its call is open',
    sql: `select r.id as run_id, c.child_workflow_run_id as detail from workflow_runs r
      join workflow_child_calls c on c.workflow_run_id = r.id join workflow_runs k on k.id = c.child_workflow_run_id
      where c.status = 'open' and k.status not in ('pending', 'running', 'waiting')`,
  },
  leftOpen('a closed run has an open wait', 'workflow_run_waits', `'open'`),
  leftOpen('a closed run has a pending timer', 'workflow_run_timers', `'pending'`),
  leftOpen('a closed run has an open activity', 'activity_executions', `'pending', 'running'`),
  leftOpen('a closed run has an unapplied signal', 'workflow_signals', `'received'`),
  leftOpen('a closed run has an unanswered update', 'workflow_updates', `'accepted'`),
  leftOpen('a closed run has an open task', 'workflow_tasks', `'ready', 'leased'`, ` and p.task_type <> 'timer'`),
];

const found = { run_id: 'text', detail: 'text?' } as const;

/** A rule over all runs. No parameters. */
export const ruleForAll = rules.map(({ problem, sql }, index) => ({
  problem,
  statement: query(`verify-${index}`, found, `${sql} order by r.id limit 100`),
}));

/** A rule over one run. Parameters: run id. */
export const ruleForRun = rules.map(({ problem, sql }, index) => ({
  problem,
  statement: query(`verify-run-${index}`, found, `${sql} and r.id = ? order by r.id limit 100`),
}));

/** Parameters: run id behind which to go on, limit. */
export const runIdsAfter = query(
  'run-ids-after',
  { id: 'text' },
  'select id from workflow_runs where id > ? order by id limit ?',
);

/** What of a run's events has to match its rows. Parameters: run id. */
export const eventsToMatch = query(
  'events-to-match',
  { sequence: 'bigint', event_type: 'text', payload: 'json' },
  `select sequence, event_type, payload from workflow_history_events where workflow_run_id = ? order by sequence`,
);

/** Parameters: run id. */
export const executionsToMatch = query(
  'executions-to-match',
  { id: 'text', sequence: 'bigint', status: 'text', attempt_count: 'int' },
  'select id, sequence, status, attempt_count from activity_executions where workflow_run_id = ?',
);

/** Parameters: run id. */
export const attemptsToMatch = query(
  'attempts-to-match',
  { id: 'text', activity_execution_id: 'text' },
  'select id, activity_execution_id from activity_attempts where workflow_run_id = ?',
);
