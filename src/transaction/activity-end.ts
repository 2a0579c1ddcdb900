import type { EncodedPayload, EventHead } from '../commands/command.ts';
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
  const attempt = new EndedAttempt(context, execution, end);
  attempt.start();
  const next = nextAttemptAt(execution, end, attempt.number, context.now);
  if (next) attempt.retry(next);
  else await attempt.close();
}

type NextAttempt = NonNullable<ReturnType<typeof nextAttemptAt>>;

/** One ended attempt of an execution, and what is written of it. */
class EndedAttempt {
  /** Attempts of the execution, this one counted when it ran. */
  readonly number: number;
  readonly #context: RunContext;
  readonly #execution: Execution;
  readonly #end: AttemptEnd;
  readonly #id: string | undefined;
  readonly #common: object;

  constructor(context: RunContext, execution: Execution, end: AttemptEnd) {
    this.#context = context;
    this.#execution = execution;
    this.#end = end;
    this.number = execution.attempt_count + (end.attempt ? 1 : 0);
    this.#id = end.attempt && context.newId();
    this.#common = {
      activity_execution_id: execution.id,
      activity_type: execution.activity_type,
      ...groupOf(execution),
    };
  }

  start(): void {
    if (this.#id === undefined) return;
    holdAttempt(this.#context, this.#execution, this.#end, this.#id, this.number);
    this.#event('ActivityStarted', {
      ...this.#attemptKeys(),
      activity: this.#activity('running'),
      activity_attempt: this.#attempt('running'),
    });
  }

  retry({ at, backoffSeconds, policy }: NextAttempt): void {
    const { outcome, attempt, timeoutKind, exceptionType, exception } = this.#end;
    const { id, queue, connection } = this.#execution;
    const taskId = this.#context.newId();
    const payload = JSON.stringify({ activity_execution_id: id });
    const task = { id: taskId, task_type: 'activity', status: 'ready', payload, available_at: at };
    this.#context.holdTask(this.#context.row(workflowTasks, task), { queue, connection });
    this.#event('ActivityRetryScheduled', {
      activity_attempt_id: this.#id,
      retry_task_id: taskId,
      retry_of_task_id: attempt?.taskId,
      retry_available_at: at,
      retry_backoff_seconds: backoffSeconds,
      retry_after_attempt_id: this.#id,
      retry_after_attempt: this.number,
      retry_reason: outcome === 'timed_out' ? 'timeout' : 'failure',
      max_attempts: policy.max_attempts,
      retry_policy: policy,
      timeout_kind: timeoutKind,
      exception_type: exceptionType,
      exception,
      ...this.#failureKeys(),
      activity: this.#activity('pending'),
    });
    this.#update('pending', null);
  }

  async close(): Promise<void> {
    const context = this.#context;
    const { outcome } = this.#end;
    const failed = outcome === 'failed' || outcome === 'timed_out';
    this.#closingEvent(failed ? holdFailure(context, this.#execution, this.#end) : undefined);
    this.#update(outcome, context.now);
    const [wait] = await context.read(openWaitBySource, [context.run.id, this.#execution.id]);
    if (wait) await resolveWait(context, wait, 'resolved');
    await wakeAfterWait(context, wait?.parallel_group_id ?? null, failed);
  }

  #closingEvent(failureId: string | undefined): void {
    const { now, run } = this.#context;
    const { outcome, result, timeoutKind, exceptionType, exception, nonRetryable = false } = this.#end;
    const keys = {
      ...this.#attemptKeys(),
      activity: this.#activity(outcome, { closed_at: now }),
      activity_attempt: this.#attempt(outcome, { closed_at: now }),
    };
    const failure = { ...keys, failure_id: failureId, ...this.#failureKeys() };
    if (outcome === 'completed')
      this.#event(
        'ActivityCompleted',
        { ...keys, result: result?.blob },
        { payload_codec: result && (result.codec ?? run.payloadCodec) },
      );
    if (outcome === 'cancelled') this.#event('ActivityCancelled', { ...keys, cancelled_at: now });
    if (outcome === 'timed_out')
      this.#event('ActivityTimedOut', { ...failure, failure_category: 'timeout', timeout_kind: timeoutKind });
    if (outcome === 'failed')
      this.#event('ActivityFailed', {
        ...failure,
        failure_category: 'activity',
        non_retryable: nonRetryable,
        exception_type: exceptionType,
        exception,
      });
  }

  #event(type: string, payload: object, head: EventHead = {}): void {
    const event = this.#context.event(type, { ...this.#common, ...payload });
    this.#context.holdEvent(event, { sequence: this.#execution.sequence, ...head });
  }

  #update(status: string, closedAt: Instant | null): void {
    const { now, run } = this.#context;
    const { result, exception } = this.#end;
    const codec = result ? (result.codec ?? run.payloadCodec) : this.#execution.payload_codec;
    const blobs = [codec, result?.blob ?? null, exception ?? null];
    const attempt = [this.number, this.#id ?? this.#execution.current_attempt_id, null, closedAt];
    this.#context.write(updateActivity, [status, ...blobs, ...attempt, now, this.#execution.id]);
  }

  #activity(status: string, more: object = {}): object {
    const { id, activity_type, started_at } = this.#execution;
    return {
      id,
      activity_type,
      status,
      attempt_count: this.number,
      current_attempt_id: this.#id ?? this.#execution.current_attempt_id ?? undefined,
      started_at: started_at ?? this.#end.attempt?.startedAt,
      ...more,
    };
  }

  #attempt(status: string, more: object = {}): object | undefined {
    const { attempt } = this.#end;
    return attempt && { id: this.#id, attempt_number: this.number, status, started_at: attempt.startedAt, ...more };
  }

  #attemptKeys(): object {
    return { activity_attempt_id: this.#id, attempt_number: this.#end.attempt && this.number };
  }

  #failureKeys(): object {
    return { message: this.#end.message, exception_class: this.#end.exceptionClass };
  }
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
