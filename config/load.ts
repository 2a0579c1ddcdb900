import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { packageRoot } from './package-root.ts';
import { type Settings, settingsSchema } from './settings.ts';

/** Bad settings, all of them in one message. */
export class ConfigError extends Error {
  readonly code = 'invalid_settings';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`invalid settings:\n${problems.map(problem => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Where settings come from beside the defaults. */
export interface SettingsSources {
  /** A JSON file that wins over the package's own. */
  readonly configFile?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

interface Tree {
  [key: string]: unknown;
}

const prefix = 'COMPLETIOND_';
/** Variables of the test suite, which are not settings. */
const foreign = /^COMPLETIOND_TEST_/;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `limits.payloadBytes` → `COMPLETIOND_LIMITS_PAYLOAD_BYTES`. */
export function environmentName(path: readonly string[]): string {
  return prefix + path.map(key => key.replaceAll(/[A-Z]/g, letter => `_${letter}`).toUpperCase()).join('_');
}

interface Leaf {
  readonly path: readonly string[];
  readonly schema: z.core.$ZodType;
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = (schema as { _zod: { def: { innerType?: z.core.$ZodType } } })._zod.def.innerType;
  return inner === undefined ? schema : unwrap(inner);
}

/** Every setting with its path. */
export function settingLeaves(schema: z.core.$ZodType = settingsSchema, path: readonly string[] = []): Leaf[] {
  const { shape } = (unwrap(schema) as { _zod: { def: { shape?: Record<string, z.core.$ZodType> } } })._zod.def;
  if (shape === undefined) return [{ path, schema: unwrap(schema) }];
  return Object.entries(shape).flatMap(([key, child]) => settingLeaves(child, [...path, key]));
}

/** Text of the environment → what the setting's type wants; what does not fit is left for the schema to report. */
function coerce(text: string, schema: z.core.$ZodType): unknown {
  const { type } = (schema as { _zod: { def: { type: string } } })._zod.def;
  if (type === 'number' && text.trim() !== '' && !Number.isNaN(Number(text))) return Number(text);
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

function set(tree: Tree, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  const child = isTree(tree[key]) ? tree[key] : {};
  tree[key] = child;
  set(child, rest, value);
}

function merge(base: Tree, over: Tree): Tree {
  const merged: Tree = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isTree(before) && isTree(value) ? merge(before, value) : value;
  }
  return merged;
}

function readFile(file: string, problems: string[]): Tree {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isTree(value)) return value;
    problems.push(`${file}: expected a JSON object`);
  } catch (error) {
    problems.push(`${file}: ${(error as Error).message}`);
  }
  return {};
}

function fromEnvironment(env: Readonly<Record<string, string | undefined>>, problems: string[]): Tree {
  const leaves = new Map(settingLeaves().map(leaf => [environmentName(leaf.path), leaf]));
  const tree: Tree = {};
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(prefix) || foreign.test(name) || text === undefined) continue;
    const leaf = leaves.get(name);
    if (leaf === undefined) problems.push(`${name}: no setting has this name`);
    else set(tree, leaf.path, coerce(text, leaf.schema));
  }
  return tree;
}

function describe(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => `${[...path, key].join('.')}: no setting has this name`);
  return [`${path.join('.')} (${environmentName(path)}): ${issue.message}`];
}

function freeze<T>(value: T): T {
  if (isTree(value)) for (const child of Object.values(value)) freeze(child);
  return Object.freeze(value);
}

/** Hosts that only this machine reaches need no token. */
function needsToken({ host, token }: Settings['http']): boolean {
  return token === undefined && host !== 'localhost' && host !== '::1' && !host.startsWith('127.');
}

/**
 * The settings in force: `config/default.json` ← `config/<NODE_ENV>.json` ← `configFile` ← environment, frozen.
 * @throws ConfigError naming every bad key and value at once.
 */
export function loadSettings({ configFile, env = process.env }: SettingsSources = {}): Settings {
  const problems: string[] = [];
  const own = ['default', env.NODE_ENV].flatMap(name => {
    const file = name && /^[a-z]+$/.test(name) ? join(packageRoot, 'config', `${name}.json`) : '';
    return file && existsSync(file) ? [file] : [];
  });
  const files = [...own, ...(configFile === undefined ? [] : [configFile])];
  const trees = [...files.map(file => readFile(file, problems)), fromEnvironment(env, problems)];
  const parsed = settingsSchema.safeParse(trees.reduce(merge, {}));
  if (!parsed.success) problems.push(...parsed.error.issues.flatMap(describe));
  else if (needsToken(parsed.data.http))
    problems.push(`http.token (${prefix}HTTP_TOKEN): required when http.host is not a loopback address`);
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return freeze(parsed.data);
}

/** Settings that people may see: passwords in URLs and tokens are masked. */
export function maskSettings(settings: Settings): Settings {
  const maskUrl = (url: string) =>
    url.replace(/(:\/\/[^:@/]*:)[^@]*@/, '$1***@').replace(/([?&](?:password|token)=)[^&]*/gi, '$1***');
  const { database, queue, http } = settings;
  return {
    ...settings,
    database: { ...database, url: maskUrl(database.url) },
    queue: { ...queue, url: maskUrl(queue.url) },
    http: { ...http, ...(http.token !== undefined && { token: '***' }) },
  };
}
