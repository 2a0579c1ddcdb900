import { z } from 'zod';
import { encodeException } from '../commands/exception.ts';
import {
  name,
  optionalException,
  optionalName,
  optionalPayload,
  optionalText,
  payloadCodec,
  positiveInt,
} from '../commands/fields.ts';
import { contentDigest, describeIssue } from './completion.ts';
import { parseJobData } from './job-data.ts';
import { Refusal } from './refusal.ts';
import { mayHoldUnstorableText, unstorablePaths } from './text.ts';

/** Name of the jobs that carry the end of a claimed activity's attempt. */
export const activityCompletionJob = 'activity-completion';

const schema = z
  .strictObject({
    task_id: name,
    lease_owner: name,
    /** The fencing token from the claim. */
    activity_task_attempt: positiveInt,
    outcome: z.enum(['completed', 'failed', 'cancelled']),
    result: optionalPayload,
    payload_codec: payloadCodec,
    message: optionalText,
    exception_type: optionalName,
    exception_class: optionalName,
    exception: optionalException,
    non_retryable: z.boolean().nullish(),
    completion_id: z.string().max(128).optional(),
    traceparent: z.string().max(255).optional(),
  })
  .superRefine((value, context) => {
    if (value.outcome === 'failed' && value.message === undefined)
      context.addIssue({ code: 'custom', path: ['message'], message: 'required when the outcome is failed' });
    if (value.outcome !== 'completed' && value.result !== undefined)
      context.addIssue({ code: 'custom', path: ['result'], message: 'only when the outcome is completed' });
  });

/** What an activity worker sends back for a claimed activity task, checked as far as it can be without a database. */
export type ActivityCompletion = z.output<typeof schema> & {
  readonly contentDigest: string;
  readonly completion_id: string;
};

/**
 * A job's JSON → an activity's completion.
 * @throws Refusal `invalid_completion`, `unstorable_text` or `payload_too_large`, naming every path.
 */
export function parseActivityCompletion(json: string, payloadBytes: number): ActivityCompletion {
  const raw = parseJobData(json);
  const parsed = schema.safeParse(raw);
  if (!parsed.success)
    throw new Refusal('invalid_completion', parsed.error.issues.flatMap(issue => describeIssue(issue, [])).join('; '));
  const paths = mayHoldUnstorableText(json) ? unstorablePaths(raw) : [];
  if (paths.length > 0) throw new Refusal('unstorable_text', `U+0000 or a lone surrogate at ${paths.join(', ')}`);
  const { result, message, exception } = parsed.data;
  const blobs = {
    result: typeof result === 'string' ? result : result?.blob,
    message,
    exception: encodeException(exception)?.blob,
  };
  const tooLarge = Object.entries(blobs).filter(
    ([, blob]) => blob !== undefined && Buffer.byteLength(blob) > payloadBytes,
  );
  if (tooLarge.length > 0)
    throw new Refusal(
      'payload_too_large',
      `${tooLarge.map(([field]) => field).join(', ')}: over ${payloadBytes} bytes (limits.payloadBytes)`,
    );
  const digest = contentDigest(raw as object);
  return { ...parsed.data, contentDigest: digest, completion_id: parsed.data.completion_id ?? `c-${digest}` };
}
