import type { EncodedPayload } from '../commands/command.ts';
import type { RetryPolicy } from '../commands/fields.ts';
import type { Instant } from '../store/instant.ts';
import type { Row } from '../store/statement.ts';
import { type activityById, updateActivity } from '../store/statements/activities.ts';
import { openWaitBySource } from '../store/statements/waits.ts';
import { activityAttempts, workflowFailures, workflowTasks } from '../store/tables.ts';
import { resolveWait } from './resolve-wait.ts';
import type { RunContext } from './run-context.ts';
import { wakeAfterWait } from './wake-run.ts';

export type Execution = Row<typeof activityById.columns>;

/** How an attempt of a scheduled activity ended. */
export interface AttemptEnd {
  readonly outcome: 'completed' | 'failed' | 'timed_out' | 'cancelled';
  readonly result?: EncodedPayload | undefined;
  readonly message?: string | undefined;
  readonly exceptionType?: string | undefined;
  readonly exceptionClass?: string | undefined;
  readonly exception?: string | undefined;
  readonly nonRetryable?: boolean;
  readonly timeoutKind?: 'schedule_to_start' | 'schedule_to_close' | 'start_to_close' | undefined;
  /** The attempt, when one ran: its task, who held it and since when. */
  readonly attempt?: { readonly taskId: string; readonly leaseOwner: string | null; readonly startedAt: Instant };
}

const groupOf = (execution: Execution): object => {
  const options = JSON.parse(execution.activity_options ?? '{}') as Record<string, unknown>;
  return Object.fromEntries(Object.entries(options).filter(([key]) => key.startsWith('parallel_group')));
};

/** When the next attempt may start; undefined when the policy allows none. */
function nextAttemptAt(execution: Execution, end: AttemptEnd, attemptNumber: number, now: Instant) {
  const policy = (execution.retry_policy ? JSON.parse(execution.retry_policy) : {}) as RetryPolicy;
  const types = policy.non_retryable_error_types ?? [];
  const named = [end.exceptionType, end.exceptionClass].some(type => type !== undefined && types.includes(type));
  const retryable = end.outcome === 'failed' || (end.outcome === 'timed_out' && end.timeoutKind === 'start_to_close');
  if (!retryable || end.nonRetryable || named || attemptNumber >= (policy.max_attempts ?? 1)) return undefined;
  const backoffs = policy.backoff_seconds ?? [];
  const backoffSeconds = backoffs[Math.min(attemptNumber, backoffs.length) - 1] ?? 0;
  const at = now.plusSeconds(backoffSeconds);
  const deadline = execution.schedule_to_close_deadline_at;
  return deadline && !deadline.isAfter(at) ? undefined : { at, backoffSeconds, policy };
}

/**
 * Writes the end of an activity's attempt: `ActivityStarted`, then the retry or the end, and wakes the run at the end.
 * A claim writes no event, so the attempt's start is written here, with the time of its lease.
 */
export async function endAttempt(context: RunContext, execution: Execution, end: AttemptEnd): Promise<void> {
  const { now } = context;
  const attemptNumber = execution.attempt_count + (end.attempt ? 1 : 0);
  const attemptId = end.attempt ? context.newId() : undefined;
  const head = { sequence: execution.sequence };
  const common = { activity_execution_id: execution.id, activity_type: execution.activity_type, ...groupOf(execution) };
  const attemptKeys = { activity_attempt_id: attemptId, attempt_number: end.attempt && attemptNumber };
  const startedAt = execution.started_at ?? end.attempt?.startedAt;
  const activity = (status: string, more: object = {}) => ({
    id: execution.id,
    activity_type: execution.activity_type,
    status,
    attempt_count: attemptNumber,
    current_attempt_id: attemptId,
    started_at: startedAt,
    ...more,
  });
  const attempt = (status: string, more: object = {}) =>
    end.attempt && {
      id: attemptId,
      attempt_number: attemptNumber,
      status,
      started_at: end.attempt.startedAt,
      ...more,
    };
  if (end.attempt && attemptId) {
    holdAttempt(context, execution, end, attemptId, attemptNumber);
    const started = { ...common, ...attemptKeys, activity: activity('running'), activity_attempt: attempt('running') };
    context.holdEvent(context.event('ActivityStarted', started), head);
  }
  const failureKeys = { message: end.message, exception_class: end.exceptionClass };
  const next = nextAttemptAt(execution, end, attemptNumber, now);
  if (next) {
    const taskId = context.newId();
    const payload = JSON.stringify({ activity_execution_id: execution.id });
    const task = { id: taskId, task_type: 'activity', status: 'ready', payload, available_at: next.at };
    const { queue, connection } = execution;
    context.holdTask(context.row(workflowTasks, task), { queue, connection });
    const retry = {
      ...common,
      activity_attempt_id: attemptId,
      retry_task_id: taskId,
      retry_of_task_id: end.attempt?.taskId,
      retry_available_at: next.at,
      retry_backoff_seconds: next.backoffSeconds,
      retry_after_attempt_id: attemptId,
      retry_after_attempt: attemptNumber,
      retry_reason: end.outcome === 'timed_out' ? 'timeout' : 'failure',
      max_attempts: next.policy.max_attempts,
      retry_policy: next.policy,
      timeout_kind: end.timeoutKind,
      exception_type: end.exceptionType,
      exception: end.exception,
      ...failureKeys,
      activity: activity('pending'),
    };
    context.holdEvent(context.event('ActivityRetryScheduled', retry), head);
    write(context, execution, 'pending', end, attemptNumber, attemptId, false);
    return;
  }
  const closedKeys = {
    ...common,
    ...attemptKeys,
    activity: activity(end.outcome, { closed_at: now }),
    activity_attempt: attempt(end.outcome, { closed_at: now }),
  };
  const failed = end.outcome === 'failed' || end.outcome === 'timed_out';
  const failureId = failed ? holdFailure(context, execution, end) : undefined;
  if (end.outcome === 'completed') {
    const codec = end.result && (end.result.codec ?? context.run.payloadCodec);
    context.holdEvent(context.event('ActivityCompleted', { ...closedKeys, result: end.result?.blob }), {
      ...head,
      payload_codec: codec,
    });
  } else if (end.outcome === 'cancelled')
    context.holdEvent(context.event('ActivityCancelled', { ...closedKeys, cancelled_at: now }), head);
  else if (end.outcome === 'timed_out') {
    const timedOut = {
      failure_id: failureId,
      failure_category: 'timeout',
      timeout_kind: end.timeoutKind,
      ...failureKeys,
    };
    context.holdEvent(context.event('ActivityTimedOut', { ...closedKeys, ...timedOut }), head);
  } else {
    const { exceptionType: exception_type, exception, nonRetryable: non_retryable = false } = end;
    const failure = { failure_id: failureId, failure_category: 'activity', non_retryable, exception_type, exception };
    context.holdEvent(context.event('ActivityFailed', { ...closedKeys, ...failure, ...failureKeys }), head);
  }
  write(context, execution, end.outcome, end, attemptNumber, attemptId, true);
  const [wait] = await context.read(openWaitBySource, [context.run.id, execution.id]);
  if (wait) await resolveWait(context, wait, 'resolved');
  await wakeAfterWait(context, wait?.parallel_group_id ?? null, failed);
}

function holdAttempt(context: RunContext, execution: Execution, end: AttemptEnd, id: string, number: number): void {
  const { now } = context;
  context.holdRow(
    context.row(activityAttempts, {
      id,
      activity_execution_id: execution.id,
      workflow_task_id: end.attempt?.taskId ?? null,
      attempt_number: number,
      status: end.outcome,
      lease_owner: end.attempt?.leaseOwner ?? null,
      started_at: end.attempt?.startedAt ?? null,
      closed_at: now,
      created_at: now,
      updated_at: now,
    }),
  );
}

function holdFailure(context: RunContext, execution: Execution, end: AttemptEnd): string {
  const id = context.newId();
  context.holdRow(
    context.row(workflowFailures, {
      id,
      source_kind: 'activity_execution',
      source_id: execution.id,
      propagation_kind: 'activity',
      failure_category: end.outcome === 'timed_out' ? 'timeout' : 'activity',
      non_retryable: end.nonRetryable ?? false,
      handled: false,
      exception_class: end.exceptionClass ?? end.exceptionType ?? null,
      message: end.message ?? '',
      created_at: context.now,
    }),
  );
  return id;
}

function write(
  context: RunContext,
  execution: Execution,
  status: string,
  end: AttemptEnd,
  attemptNumber: number,
  attemptId: string | undefined,
  closed: boolean,
): void {
  const { now, run } = context;
  const codec = end.result ? (end.result.codec ?? run.payloadCodec) : execution.payload_codec;
  const blobs = [codec, end.result?.blob ?? null, end.exception ?? null];
  const attempt = [attemptNumber, attemptId ?? null, null, closed ? now : null];
  context.write(updateActivity, [status, ...blobs, ...attempt, now, execution.id]);
}
