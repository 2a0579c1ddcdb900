import { createHash } from 'node:crypto';
import canonicalizeModule from 'canonicalize';
import { z } from 'zod';
import { type Command, commandDefinitions } from '../commands/index.ts';
import { parseJobData } from './job-data.ts';
import { Refusal } from './refusal.ts';
import { mayHoldUnstorableText, reservedKeyPaths, unstorablePaths } from './text.ts';

/** Commands that one completion may carry. */
export const maxCommands = 1_000;

/** The package is CommonJS and its types claim a default export inside the default export. */
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

const name = z.string().trim().min(1).max(255);

const envelopeSchema = z.strictObject({
  task_id: name,
  lease_owner: name,
  workflow_task_attempt: z.int().min(1).max(2_147_483_647),
  commands: z.array(z.unknown()).min(1).max(maxCommands),
  completion_id: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,128}$/, { error: 'expected 1 to 128 characters of A-Z a-z 0-9 . _ -' })
    .optional(),
  traceparent: z.string().max(255).optional(),
});

/** What a worker sends back for a claimed task, checked as far as it can be without a database. */
export interface Completion {
  readonly task_id: string;
  readonly lease_owner: string;
  readonly workflow_task_attempt: number;
  readonly commands: readonly Command[];
  readonly completion_id: string;
  readonly traceparent: string | undefined;
  /** SHA-256 of the content: two completions with the same digest are the same completion, whatever their ids. */
  readonly contentDigest: string;
}

/** SHA-256 (hex) of the canonical JSON (RFC 8785) of everything but `completion_id` and `traceparent`. */
export function contentDigest(completion: object): string {
  const { completion_id: _, traceparent: __, ...content } = completion as Record<string, unknown>;
  return createHash('sha256')
    .update(canonicalize(content) ?? '')
    .digest('hex');
}

/** The completion's id, which is its job id: its own, or `c-` and the digest of its content. */
export function completionIdOf(completion: object): string {
  const own = (completion as Record<string, unknown>).completion_id;
  return typeof own === 'string' ? own : `c-${contentDigest(completion)}`;
}

/** A schema issue → `path: message` lines; an unknown field is named by its own path. */
export function describeIssue(issue: z.core.$ZodIssue, prefix: readonly PropertyKey[]): string[] {
  const path = [...prefix, ...issue.path].map(String);
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => `${[...path, key].join('.')}: unknown field`);
  return [`${path.join('.') || '(the completion)'}: ${issue.message}`];
}

function parseCommands(raw: readonly unknown[], problems: string[]): Command[] {
  const commands: Command[] = [];
  for (const [index, value] of raw.entries()) {
    const type = (value as { type?: unknown } | null)?.type;
    const definition = typeof type === 'string' ? commandDefinitions.get(type) : undefined;
    if (definition === undefined) {
      problems.push(
        `commands.${index}.type: ${typeof type === 'string' ? `unknown command type "${type.slice(0, 64)}"` : 'expected the name of a command'}`,
      );
      continue;
    }
    const parsed = definition.schema.safeParse(value);
    if (parsed.success) commands.push({ definition, value: parsed.data, index });
    else problems.push(...parsed.error.issues.flatMap(issue => describeIssue(issue, ['commands', index])));
  }
  return commands;
}

function extraTerminals(commands: readonly Command[]): string[] {
  const terminals = commands.filter(({ definition }) => definition.role === 'terminal');
  return terminals.slice(1).map(({ index }) => `commands.${index}.type: a second terminal command`);
}

/** An id can be given to one child only; what the database has of it is asked under the lock. */
function repeatedChildIds(commands: readonly Command[]): string[] {
  const seen = new Set<string>();
  return commands.flatMap(({ value, index }) => {
    const { workflow_id: id } = value as { workflow_id?: string | null };
    if (!id) return [];
    if (seen.has(id)) return [`commands.${index}.workflow_id: another child of the completion has it`];
    seen.add(id);
    return [];
  });
}

/**
 * A job's JSON → a completion. Shape first, then text.
 * @throws Refusal `invalid_completion` with every bad path, or `unstorable_text`.
 */
export function parseCompletion(json: string): Completion {
  const raw = parseJobData(json);
  const problems: string[] = [];
  const envelope = envelopeSchema.safeParse(raw);
  if (!envelope.success) problems.push(...envelope.error.issues.flatMap(issue => describeIssue(issue, [])));
  const list = (raw as { commands?: unknown } | null)?.commands;
  const commands = Array.isArray(list) && list.length <= maxCommands ? parseCommands(list, problems) : [];
  problems.push(...reservedKeyPaths(json, raw).map(path => `${path}: no key may be named __proto__`));
  problems.push(...extraTerminals(commands), ...repeatedChildIds(commands));
  if (!envelope.success || problems.length > 0) throw new Refusal('invalid_completion', problems.join('; '));
  if (mayHoldUnstorableText(json)) {
    const paths = unstorablePaths(raw);
    if (paths.length > 0) throw new Refusal('unstorable_text', `U+0000 or a lone surrogate at ${paths.join(', ')}`);
  }
  const digest = contentDigest(raw as object);
  return {
    ...envelope.data,
    commands,
    completion_id: envelope.data.completion_id ?? `c-${digest}`,
    traceparent: envelope.data.traceparent,
    contentDigest: digest,
  };
}
