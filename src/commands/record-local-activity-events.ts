import type { Instant } from '../store/instant.ts';
import type { EncodedPayload, EventDraft, PrepareContext } from './command.ts';
import { encodeException } from './exception.ts';
import type { RecordedAttempt, RecordLocalActivity } from './record-local-activity-schema.ts';

/** An attempt with its times, rebuilt backwards from the moment of applying. */
export interface TimedAttempt {
  readonly id: string;
  readonly evidence: RecordedAttempt;
  readonly startedAt: Instant;
  readonly closedAt: Instant;
  readonly lastHeartbeatAt: Instant | undefined;
}

/** The `activity_options` of a record's execution. */
export function options(command: RecordLocalActivity): object {
  return {
    execution_mode: 'local',
    start_to_close_timeout: command.start_to_close_timeout,
    schedule_to_close_timeout: command.schedule_to_close_timeout,
    heartbeat_timeout: command.heartbeat_timeout,
  };
}

/** Makes the events of one record, in order. What never changes stands once, in the snapshot of `ActivityScheduled`. */
export class RecordEvents {
  readonly drafts: EventDraft[] = [];
  readonly #command: RecordLocalActivity;
  readonly #context: PrepareContext;
  readonly #common: object;
  readonly #executionId: string;
  #startedAt: Instant | undefined;

  constructor(command: RecordLocalActivity, executionId: string, context: PrepareContext) {
    this.#command = command;
    this.#context = context;
    this.#executionId = executionId;
    this.#common = {
      activity_execution_id: executionId,
      activity_type: command.activity_type,
      execution_mode: 'local',
      local_activity: true,
      workflow_task_id: context.taskId,
    };
  }

  scheduled(args: EncodedPayload | undefined): void {
    const { retry_policy } = this.#command;
    const activity = {
      ...this.#activity('pending', 0),
      ...options(this.#command),
      retry_policy: retry_policy ?? undefined,
      payload_codec: args?.codec,
      arguments: args?.blob,
    };
    this.#add('ActivityScheduled', { activity });
  }

  started(attempt: TimedAttempt): void {
    this.#startedAt ??= attempt.startedAt;
    this.#add('ActivityStarted', {
      ...this.#attemptKeys(attempt),
      activity: this.#activity('running', attempt.evidence.attempt_number, attempt.id),
      activity_attempt: this.#attempt(attempt, 'running'),
    });
  }

  heartbeats(attempt: TimedAttempt): void {
    for (const { elapsed_ms, details } of attempt.evidence.heartbeats ?? []) {
      const at = attempt.startedAt.plusMs(elapsed_ms);
      this.#add('ActivityHeartbeatRecorded', {
        ...this.#attemptKeys(attempt),
        heartbeat_at: at,
        progress: details ?? undefined,
        activity: { ...this.#activity('running', attempt.evidence.attempt_number, attempt.id), last_heartbeat_at: at },
        activity_attempt: { ...this.#attempt(attempt, 'running'), last_heartbeat_at: at },
      });
    }
  }

  retryScheduled(attempt: TimedAttempt, retryAt: Instant): void {
    const { evidence } = attempt;
    const { retry_policy } = this.#command;
    this.#add('ActivityRetryScheduled', {
      activity_attempt_id: attempt.id,
      worker_attempt_id: evidence.attempt_id,
      retry_available_at: retryAt,
      retry_backoff_seconds: evidence.backoff_seconds ?? 0,
      retry_after_attempt_id: attempt.id,
      retry_after_attempt: evidence.attempt_number,
      retry_reason: evidence.retry_reason ?? (evidence.outcome === 'timed_out' ? 'timeout' : 'failure'),
      max_attempts: retry_policy?.max_attempts,
      retry_policy: retry_policy ?? undefined,
      timeout_kind: evidence.timeout_kind ?? undefined,
      exception_type: evidence.exception_type,
      exception_class: evidence.exception_class,
      message: evidence.message,
      exception: encodeException(evidence.exception)?.blob,
      activity: this.#activity('pending', evidence.attempt_number, attempt.id),
    });
  }

  closed(attempt: TimedAttempt, result: EncodedPayload | undefined, exception: string | undefined, failureId: string) {
    const { outcome, message, exception_class, exception_type, timeout_kind, non_retryable } = this.#command;
    const keys = {
      ...this.#attemptKeys(attempt),
      activity: {
        ...this.#activity(outcome, attempt.evidence.attempt_number, attempt.id),
        closed_at: attempt.closedAt,
      },
      activity_attempt: { ...this.#attempt(attempt, outcome), closed_at: attempt.closedAt },
    };
    const failure = { failure_id: failureId, message, exception_class };
    if (outcome === 'completed') this.#add('ActivityCompleted', { ...keys, result: result?.blob });
    if (outcome === 'failed')
      this.#add('ActivityFailed', {
        ...keys,
        ...failure,
        failure_category: 'activity',
        non_retryable: non_retryable ?? false,
        exception_type,
        exception,
      });
    if (outcome === 'timed_out')
      this.#add('ActivityTimedOut', { ...keys, ...failure, failure_category: 'timeout', timeout_kind });
    if (outcome === 'cancelled')
      this.#add('ActivityCancelled', {
        ...keys,
        activity: { ...keys.activity, message },
        cancelled_at: attempt.closedAt,
      });
  }

  #add(type: string, payload: object): void {
    this.drafts.push(this.#context.event(type, { ...this.#common, ...payload }));
  }

  #activity(status: string, attemptCount: number, attemptId?: string): object {
    return {
      id: this.#executionId,
      activity_type: this.#command.activity_type,
      status,
      attempt_count: attemptCount,
      current_attempt_id: attemptId,
      started_at: this.#startedAt,
    };
  }

  #attempt(attempt: TimedAttempt, status: string): object {
    return {
      id: attempt.id,
      worker_attempt_id: attempt.evidence.attempt_id,
      attempt_number: attempt.evidence.attempt_number,
      status,
      started_at: attempt.startedAt,
    };
  }

  #attemptKeys(attempt: TimedAttempt): object {
    return {
      activity_attempt_id: attempt.id,
      worker_attempt_id: attempt.evidence.attempt_id,
      attempt_number: attempt.evidence.attempt_number,
    };
  }
}
