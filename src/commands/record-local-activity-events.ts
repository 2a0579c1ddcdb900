import type { Instant } from '../store/instant.ts';
import type { EncodedPayload, EventDraft, PrepareContext } from './command.ts';
import { encodeException } from './exception.ts';
import { members, objectOf } from './json-members.ts';
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

/**
 * Makes the events of one record, in order, as text from the start: they are the most of what a completion writes. What never
 * changes stands once, in the snapshot of `ActivityScheduled`.
 */
export class RecordEvents {
  readonly drafts: EventDraft[] = [];
  readonly #command: RecordLocalActivity;
  readonly #context: PrepareContext;
  readonly #common: string;
  /** What every snapshot of the activity begins with. */
  readonly #identity: string;
  #startedAt: Instant | undefined;

  constructor(command: RecordLocalActivity, executionId: string, context: PrepareContext) {
    this.#command = command;
    this.#context = context;
    const { activity_type } = command;
    this.#identity = members({ id: executionId, activity_type });
    this.#common = members({
      activity_execution_id: executionId,
      activity_type,
      execution_mode: 'local',
      local_activity: true,
      workflow_task_id: context.taskId,
    });
  }

  scheduled(args: EncodedPayload | undefined): void {
    const { retry_policy } = this.#command;
    const more = { ...options(this.#command), retry_policy, payload_codec: args?.codec, arguments: args?.blob };
    this.#add('ActivityScheduled', this.#activity('pending', 0, undefined, more));
  }

  started(attempt: TimedAttempt): void {
    this.#startedAt ??= attempt.startedAt;
    this.#add('ActivityStarted', attemptKeys(attempt) + this.#snapshots(attempt, 'running'));
  }

  heartbeats(attempt: TimedAttempt): void {
    for (const { elapsed_ms, details } of attempt.evidence.heartbeats ?? []) {
      const at = attempt.startedAt.plusMs(elapsed_ms);
      const snapshots = this.#snapshots(attempt, 'running', { last_heartbeat_at: at });
      const beat = members({ heartbeat_at: at, progress: details });
      this.#add('ActivityHeartbeatRecorded', attemptKeys(attempt) + beat + snapshots);
    }
  }

  retryScheduled(attempt: TimedAttempt, retryAt: Instant): void {
    const { evidence } = attempt;
    const { retry_policy } = this.#command;
    const retry = members({
      activity_attempt_id: attempt.id,
      worker_attempt_id: evidence.attempt_id,
      retry_available_at: retryAt,
      retry_backoff_seconds: evidence.backoff_seconds ?? 0,
      retry_after_attempt_id: attempt.id,
      retry_after_attempt: evidence.attempt_number,
      retry_reason: evidence.retry_reason ?? (evidence.outcome === 'timed_out' ? 'timeout' : 'failure'),
      max_attempts: retry_policy?.max_attempts,
      retry_policy,
      timeout_kind: evidence.timeout_kind,
      exception_type: evidence.exception_type,
      exception_class: evidence.exception_class,
      message: evidence.message,
      exception: encodeException(evidence.exception)?.blob,
    });
    this.#add('ActivityRetryScheduled', retry + this.#activity('pending', evidence.attempt_number, attempt.id));
  }

  closed(attempt: TimedAttempt, result: EncodedPayload | undefined, exception: string | undefined, failureId: string) {
    const { outcome, message, exception_class, exception_type, timeout_kind, non_retryable } = this.#command;
    const closed_at = attempt.closedAt;
    const add = (type: string, own: object, ofActivity: object = {}) => {
      const { attempt_number } = attempt.evidence;
      const activity = this.#activity(outcome, attempt_number, attempt.id, { closed_at, ...ofActivity });
      const snapshots = activity + attemptSnapshot(attempt, outcome, { closed_at });
      this.#add(type, attemptKeys(attempt) + snapshots + members(own));
    };
    const failure = { failure_id: failureId, message, exception_class };
    if (outcome === 'completed') add('ActivityCompleted', { result: result?.blob });
    if (outcome === 'failed') {
      const own = { failure_category: 'activity', non_retryable: non_retryable ?? false, exception_type, exception };
      add('ActivityFailed', { ...failure, ...own });
    }
    if (outcome === 'timed_out') add('ActivityTimedOut', { ...failure, failure_category: 'timeout', timeout_kind });
    if (outcome === 'cancelled') add('ActivityCancelled', { cancelled_at: closed_at }, { message });
  }

  #add(type: string, own: string): void {
    this.drafts.push(this.#context.event(type, this.#common + own));
  }

  #activity(status: string, attempt_count: number, current_attempt_id?: string, more: object = {}): string {
    const started_at = this.#startedAt;
    const state = members({ status, attempt_count, current_attempt_id, started_at }) + members(more);
    return `"activity":${objectOf(this.#identity + state)},`;
  }

  #snapshots(attempt: TimedAttempt, status: string, more: object = {}): string {
    const activity = this.#activity(status, attempt.evidence.attempt_number, attempt.id, more);
    return activity + attemptSnapshot(attempt, status, more);
  }
}

function attemptSnapshot({ id, evidence, startedAt }: TimedAttempt, status: string, more: object): string {
  const { attempt_id: worker_attempt_id, attempt_number } = evidence;
  const snapshot = members({ id, worker_attempt_id, attempt_number, status, started_at: startedAt }) + members(more);
  return `"activity_attempt":${objectOf(snapshot)},`;
}

function attemptKeys({ id, evidence }: TimedAttempt): string {
  const { attempt_id: worker_attempt_id, attempt_number } = evidence;
  return members({ activity_attempt_id: id, worker_attempt_id, attempt_number });
}
