import { z } from 'zod';
import {
  name,
  nonNegativeInt,
  optionalException,
  optionalName,
  optionalPayload,
  optionalSeconds,
  optionalText,
  payloadCodec,
  positiveInt,
  retryPolicy,
  timeoutKind,
} from './fields.ts';

const outcome = z.enum(['completed', 'failed', 'timed_out', 'cancelled']);

const heartbeat = z.strictObject({ elapsed_ms: nonNegativeInt, details: z.json().optional() });

const attempt = z.strictObject({
  attempt_number: positiveInt,
  outcome,
  attempt_id: optionalName,
  duration_ms: nonNegativeInt.optional(),
  message: optionalText,
  exception_type: optionalName,
  exception_class: optionalName,
  exception: optionalException,
  non_retryable: z.boolean().optional(),
  timeout_kind: timeoutKind.nullish(),
  retry_reason: z.enum(['failure', 'timeout', 'cold_replay']).nullish(),
  backoff_seconds: nonNegativeInt.optional(),
  heartbeats: z.array(heartbeat).optional(),
});

type Report = (path: (string | number)[], message: string) => void;
const reportTo =
  (context: z.RefinementCtx): Report =>
  (path, message) =>
    context.addIssue({ code: 'custom', path, message });

const retryPolicyOfRecord = retryPolicy.superRefine((policy, context) => {
  const report = reportTo(context);
  const maxBackoffs = Math.max(0, (policy.max_attempts ?? 1) - 1);
  const backoffs = policy.backoff_seconds?.length ?? 0;
  if (backoffs > maxBackoffs)
    report(['backoff_seconds'], `has ${backoffs} entries, at most max_attempts - 1 = ${maxBackoffs}`);
  const types = policy.non_retryable_error_types ?? [];
  for (const [index, type] of types.entries())
    if (types.indexOf(type) < index) report(['non_retryable_error_types', index], 'a duplicate');
});

const attempts = z
  .array(attempt)
  .min(1, { error: 'expected at least one attempt' })
  .superRefine((list, context) => {
    const report = reportTo(context);
    for (const [index, { attempt_number, outcome, heartbeats = [] }] of list.entries()) {
      if (attempt_number !== index + 1) report([index, 'attempt_number'], `expected ${index + 1}`);
      if (index < list.length - 1 && outcome !== 'failed' && outcome !== 'timed_out')
        report([index, 'outcome'], 'an attempt before the last is failed or timed_out');
      for (const [beat, { elapsed_ms }] of heartbeats.entries())
        if (beat > 0 && elapsed_ms < (heartbeats[beat - 1]?.elapsed_ms ?? 0))
          report([index, 'heartbeats', beat, 'elapsed_ms'], 'must not decrease');
    }
  });

const shape = z.strictObject({
  type: z.literal('record_local_activity'),
  activity_type: name,
  arguments: optionalPayload,
  result: optionalPayload,
  payload_codec: payloadCodec,
  outcome,
  message: optionalText,
  exception_type: optionalName,
  exception_class: optionalName,
  exception: optionalException,
  non_retryable: z.boolean().optional(),
  timeout_kind: timeoutKind.nullish(),
  retry_policy: retryPolicyOfRecord.nullish(),
  start_to_close_timeout: optionalSeconds,
  schedule_to_close_timeout: optionalSeconds,
  heartbeat_timeout: optionalSeconds,
  attempts,
});

/** Rules between fields. They run even when a field is bad, so that one message names everything: expect nothing of it. */
function checkEnd(command: Partial<z.output<typeof shape>>, report: Report): void {
  const end = command.outcome;
  if (!outcome.safeParse(end).success) return;
  if (command.result !== undefined && end !== 'completed') report(['result'], 'only when the outcome is completed');
  if (command.message === undefined && end !== 'completed') report(['message'], `required when the outcome is ${end}`);
  if (!command.timeout_kind && end === 'timed_out') report(['timeout_kind'], 'required when the outcome is timed_out');
  const last = Array.isArray(command.attempts) ? command.attempts.length - 1 : -1;
  const lastOutcome = command.attempts?.[last]?.outcome;
  if (outcome.safeParse(lastOutcome).success && lastOutcome !== end)
    report(['attempts', last, 'outcome'], `the last attempt must have the record's outcome ${end}`);
}

/** Section 4 of the contract: an activity that already ran inside the worker, with the evidence of every attempt. */
export const recordLocalActivitySchema = shape.superRefine((command, context) => checkEnd(command, reportTo(context)), {
  when: ({ value }) => typeof value === 'object' && value !== null,
});

export type RecordLocalActivity = z.output<typeof recordLocalActivitySchema>;
export type RecordedAttempt = RecordLocalActivity['attempts'][number];
