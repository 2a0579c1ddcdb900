import { z } from 'zod';
import { runStatuses } from '../../completion/outcome.ts';
import { maxHistorySequence } from '../../transaction/flush.ts';
import { HttpError } from './http-error.ts';

/** A whole number of a query string, from 1 to `max`. */
const count = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `expected a whole number from 1 to ${max}`)
    .transform(Number)
    .refine(value => value >= 1 && value <= max, `expected a whole number from 1 to ${max}`);

/** Text that every database takes: no control character. An empty field of a form means that it was left out. */
const text = z
  .string()
  .max(255, 'expected at most 255 characters')
  .regex(/^\P{Cc}*$/u, 'expected no control characters')
  .transform(value => value.trim() || undefined);

/** `/api/runs`: `cursor` is the `next` of the page before. */
export const runsQuery = z.strictObject({
  search: text.optional(),
  type: text.optional(),
  status: z
    .enum(['', ...runStatuses], `expected one of ${runStatuses.join(', ')}`)
    .transform(value => value || undefined)
    .optional(),
  limit: count(200).default(50),
  cursor: text.optional(),
});

export type RunsQuery = z.output<typeof runsQuery>;

/** `/api/runs/:id/history`: `after` is a sequence, and the `next` of the page before. */
export const historyQuery = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,19}$/, 'expected a history sequence')
    .transform(BigInt)
    .refine(value => value <= maxHistorySequence, 'expected a history sequence')
    .default(0n),
  limit: count(1_000).default(100),
});

/** No parameters at all. */
export const noQuery = z.strictObject({});

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => `${key}: there is no such parameter`).join('; ');
  return `${issue.path.join('.')}: ${issue.message}`;
}

/** A request's query. @throws HttpError 400 `invalid_parameters` naming each bad parameter. */
export function parseQuery<T extends z.ZodType>(schema: T, query: unknown): z.output<T> {
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  throw new HttpError(400, 'invalid_parameters', parsed.error.issues.map(problemOf).join('; '));
}
