import { activityAttempts, activityExecutions, workflowFailures } from '../store/tables.ts';
import type { ApplyContext, PrepareContext, PreparedCommand, RowDraft } from './command.ts';
import { defineCommand } from './command.ts';
import { encodeException } from './exception.ts';
import { options, RecordEvents, type TimedAttempt } from './record-local-activity-events.ts';
import type { RecordedAttempt, RecordLocalActivity } from './record-local-activity-schema.ts';
import { recordLocalActivitySchema } from './record-local-activity-schema.ts';

/** The attempts with their times, rebuilt backwards: the last one closes at the moment of applying. */
function rebuildTimes(attempts: readonly RecordedAttempt[], context: PrepareContext): TimedAttempt[] {
  const timed: TimedAttempt[] = [];
  let nextStart = context.now;
  for (const evidence of attempts.toReversed()) {
    const closedAt = timed.length === 0 ? context.now : nextStart.plusMs(-1_000 * (evidence.backoff_seconds ?? 0));
    const startedAt = closedAt.plusMs(-(evidence.duration_ms ?? 0));
    const lastBeat = evidence.heartbeats?.at(-1);
    const lastHeartbeatAt = lastBeat && startedAt.plusMs(lastBeat.elapsed_ms);
    timed.push({ id: context.newId(), evidence, startedAt, closedAt, lastHeartbeatAt });
    nextStart = startedAt;
  }
  return timed.reverse();
}

function prepare(command: RecordLocalActivity, context: PrepareContext): PreparedCommand {
  const { now } = context;
  const executionId = context.newId();
  const failureId = context.newId();
  const args = context.payload('arguments', command.arguments, command.payload_codec);
  const result = context.payload('result', command.result, command.payload_codec);
  const exception = encodeException(command.exception)?.blob;
  context.checkSize('exception', exception);
  context.checkSize('message', command.message);
  const attempts = rebuildTimes(command.attempts, context);
  const last = attempts.at(-1) as TimedAttempt;
  const events = new RecordEvents(command, executionId, context);
  events.scheduled(args);
  for (const [index, attempt] of attempts.entries()) {
    const field = `attempts.${index}`;
    context.checkSize(`${field}.message`, attempt.evidence.message);
    context.checkSize(`${field}.exception`, encodeException(attempt.evidence.exception)?.blob);
    for (const [beat, { details }] of (attempt.evidence.heartbeats ?? []).entries())
      context.checkSize(
        `${field}.heartbeats.${beat}.details`,
        details === undefined ? undefined : JSON.stringify(details),
      );
    events.started(attempt);
    events.heartbeats(attempt);
    const next = attempts[index + 1];
    if (next !== undefined) events.retryScheduled(attempt, next.startedAt);
  }
  events.closed(last, result, exception, failureId);

  const execution = context.row(activityExecutions, {
    id: executionId,
    activity_type: command.activity_type,
    status: command.outcome,
    arguments: args?.blob ?? null,
    result: result?.blob ?? null,
    exception: exception ?? null,
    attempt_count: attempts.length,
    current_attempt_id: last.id,
    retry_policy: command.retry_policy ? JSON.stringify(command.retry_policy) : null,
    activity_options: JSON.stringify(options(command)),
    started_at: attempts[0]?.startedAt ?? null,
    closed_at: last.closedAt,
    last_heartbeat_at: attempts.findLast(attempt => attempt.lastHeartbeatAt)?.lastHeartbeatAt ?? null,
    created_at: now,
    updated_at: now,
  });
  const rows: RowDraft[] = attempts.map(attempt => attemptRow(attempt, executionId, context));
  if (command.outcome === 'failed' || command.outcome === 'timed_out')
    rows.push(failureRow(command, failureId, executionId, context));

  return {
    rows: [execution, ...rows],
    events: events.drafts,
    apply(tx: ApplyContext) {
      const sequence = tx.nextStep();
      const codec = (result ?? args)?.codec ?? tx.run.payloadCodec;
      tx.holdRow(execution, { sequence, payload_codec: codec });
      for (const row of rows) tx.holdRow(row);
      for (const draft of events.drafts) {
        const hasResult = draft.type === 'ActivityCompleted' && result !== undefined;
        tx.holdEvent(
          draft,
          hasResult ? { sequence, payload_codec: result.codec ?? tx.run.payloadCodec } : { sequence },
        );
      }
    },
  };
}

function attemptRow(attempt: TimedAttempt, executionId: string, context: PrepareContext): RowDraft {
  return context.row(activityAttempts, {
    id: attempt.id,
    activity_execution_id: executionId,
    workflow_task_id: context.taskId,
    worker_attempt_id: attempt.evidence.attempt_id ?? null,
    attempt_number: attempt.evidence.attempt_number,
    status: attempt.evidence.outcome,
    lease_owner: context.leaseOwner,
    started_at: attempt.startedAt,
    last_heartbeat_at: attempt.lastHeartbeatAt ?? null,
    closed_at: attempt.closedAt,
    created_at: context.now,
    updated_at: context.now,
  });
}

function failureRow(command: RecordLocalActivity, id: string, executionId: string, context: PrepareContext): RowDraft {
  return context.row(workflowFailures, {
    id,
    source_kind: 'activity_execution',
    source_id: executionId,
    propagation_kind: 'activity',
    failure_category: command.outcome === 'timed_out' ? 'timeout' : 'activity',
    non_retryable: command.non_retryable ?? false,
    handled: false,
    exception_class: command.exception_class ?? command.exception_type ?? null,
    message: command.message ?? '',
    created_at: context.now,
  });
}

/** An activity that already ran inside the worker: contract, section 4. */
export const recordLocalActivity = defineCommand({
  type: 'record_local_activity',
  role: 'record',
  schema: recordLocalActivitySchema,
  prepare,
});
