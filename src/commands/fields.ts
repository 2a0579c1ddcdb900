import { z } from 'zod';

const maxNameCharacters = 255;
/** Largest INTEGER that every database here stores in an int column. */
const maxInt = 2_147_483_647;

const characters = (text: string) => (text.length <= maxNameCharacters ? text.length : [...text].length);

/** A string that names something: trimmed, not empty, at most 255 characters (code points). */
export const name = z
  .string()
  .trim()
  .min(1, { error: 'must not be blank' })
  .refine(text => characters(text) <= maxNameCharacters, {
    error: `must have at most ${maxNameCharacters} characters`,
  });

/** The id of a workflow instance: part of keys, so at most 191 characters. */
export const instanceId = name.refine(id => characters(id) <= 191, { error: 'must have at most 191 characters' });

/** An object by names: keys are trimmed like every name, must be names, differ from each other, and there is at least one. */
export function byName<V extends z.ZodType>(value: V) {
  return z
    .record(z.string(), value)
    .superRefine((entries, context) => {
      const seen = new Set<string>();
      const keys = Object.keys(entries);
      if (keys.length === 0) context.addIssue({ code: 'custom', path: [], message: 'must not be empty' });
      for (const key of keys) {
        const parsed = name.safeParse(key);
        const message = parsed.success
          ? seen.has(parsed.data)
            ? 'a name twice'
            : undefined
          : parsed.error.issues[0]?.message;
        if (message) context.addIssue({ code: 'custom', path: [key], message });
        seen.add(key.trim());
      }
    })
    .transform(entries => Object.fromEntries(Object.entries(entries).map(([key, item]) => [key.trim(), item])));
}

/** Free text that must say something. */
export const text = z.string().refine(value => value.trim() !== '', { error: 'must not be blank' });

const absentWhenNull = <T extends z.ZodType>(schema: T) => schema.nullish().transform(value => value ?? undefined);

/** Optional strings: an explicit null means absent; a blank or a number is refused, never discarded. */
export const optionalName = absentWhenNull(name);
export const optionalText = absentWhenNull(text);

/** Seconds, at least 1. */
export const seconds = z.int().min(1).max(maxInt);
export const optionalSeconds = seconds.optional();
export const nonNegativeInt = z.int().min(0).max(maxInt);
export const integer = z
  .int()
  .min(-maxInt - 1)
  .max(maxInt);
export const positiveInt = z.int().min(1).max(maxInt);

/** An opaque payload: text that is already encoded, or the text with the name of its codec. Never decoded. */
export const payload = z.union([z.string(), z.strictObject({ codec: name, blob: z.string() })], {
  error: 'expected a string or { "codec", "blob" }',
});
export type Payload = z.infer<typeof payload>;
export const optionalPayload = absentWhenNull(payload);
/** Codec of the payloads that are given as plain strings; else the run's. */
export const payloadCodec = optionalName;

const jsonObject = z
  .record(z.string(), z.json())
  .refine(value => !('codec' in value) && !('blob' in value), { error: 'expected { "codec", "blob" } as strings' });
/** An exception: a payload, or a JSON object that is stored as its text. */
export const optionalException = absentWhenNull(
  z.union([payload, jsonObject], { error: 'expected a string, { "codec", "blob" } or an object' }),
);
export type Exception = z.infer<typeof optionalException>;

export const retryPolicy = z.strictObject({
  max_attempts: positiveInt.optional(),
  backoff_seconds: z.array(nonNegativeInt).optional(),
  non_retryable_error_types: z.array(name).optional(),
});
export type RetryPolicy = z.infer<typeof retryPolicy>;

export const timeoutKind = z.enum(['start_to_close', 'schedule_to_close', 'heartbeat']);
