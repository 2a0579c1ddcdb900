import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { suggest } from './near-miss.ts';
import { environmentName, environmentPrefix, settingLeaves } from './setting-leaves.ts';
import { isTree, setAt, type Tree } from './tree.ts';

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Some settings, and what is wrong with the place they come from. */
export interface SettingsSource {
  readonly tree: Tree;
  /** The file, or the variable, that gives the setting at a path. */
  readonly origin: (path: readonly string[]) => string;
  readonly problems: readonly string[];
}

/** Variables of the test suite, which are not settings. */
const foreign = /^COMPLETIOND_TEST_/;

/** `not JSON, line 3`: the parser's own words quote the file, and so its secrets. */
function notJson(text: string, error: unknown): string {
  const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
  return position === undefined ? 'not JSON' : `not JSON, line ${text.slice(0, Number(position)).split('\n').length}`;
}

/** A JSON file with settings. */
export function readSettingsFile(file: string): SettingsSource {
  const source = (tree: Tree, ...problems: string[]) => ({ tree, origin: () => file, problems });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return source({}, `${file}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    const value: unknown = JSON.parse(text);
    return isTree(value) ? source(value) : source({}, `${file}: expected a JSON object`);
  } catch (error) {
    return source({}, `${file}: ${notJson(text, error)}`);
  }
}

/** Text of the environment → what the setting's type wants; what does not fit is left for the schema to report. */
function coerce(text: string, schema: z.core.$ZodType): unknown {
  const { type } = (schema as { _zod: { def: { type: string } } })._zod.def;
  if (type === 'number' && text.trim() !== '' && !Number.isNaN(Number(text))) return Number(text);
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

/** The settings of the environment. */
export function readEnvironment(env: Environment): SettingsSource {
  const leaves = new Map(settingLeaves().map(leaf => [environmentName(leaf.path), leaf]));
  const tree: Tree = {};
  const problems: string[] = [];
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(environmentPrefix) || foreign.test(name) || text === undefined) continue;
    const leaf = leaves.get(name);
    if (leaf !== undefined) setAt(tree, leaf.path, coerce(text, leaf.schema));
    else problems.push(`${name}, from the environment: no setting has this name${suggest(name, [...leaves.keys()])}`);
  }
  return { tree, origin: environmentName, problems };
}
