import type { z } from 'zod';
import { suggest } from './near-miss.ts';
import { environmentName, settingLeaves } from './setting-leaves.ts';
import type { SettingsSource } from './settings-source.ts';
import { isTree, valueAt } from './tree.ts';

/** Settings whose values are never quoted, not even when they are wrong. */
const secrets = new Set(['database.url', 'queue.url', 'http.token']);

/** `, got …`, where the value is a single setting's and surely no secret. */
function got(name: string, value: unknown, isLeaf: boolean): string {
  if (!isLeaf || secrets.has(name) || value === undefined || typeof value === 'object') return '';
  if (typeof value === 'string' && /:\/\/|@/.test(value)) return ', got a URL';
  return `, got ${JSON.stringify(typeof value === 'string' ? value.slice(0, 64) : value)}`;
}

/** What the schema wants, in its words without what it says of the value. */
function wanted({ message }: z.core.$ZodIssue): string {
  return message.replace(/^(Invalid \w+|Too (small|big)): /, '').replace(/, received .*$/, '');
}

function unknownKey(path: readonly string[], origin: string): string {
  const name = path.join('.');
  const names = settingLeaves().flatMap(leaf => leaf.path.map((_, end) => leaf.path.slice(0, end + 1).join('.')));
  const key = path.at(-1)?.toLowerCase();
  const elsewhere = names.filter(known => known.toLowerCase().endsWith(`.${key}`));
  const hint = suggest(name, names) || (elsewhere[0] === undefined ? '' : `; did you mean ${elsewhere[0]}?`);
  return `${name}, from ${origin}: no setting has this name${hint}`;
}

/** The schema's issue with settings → one line a mistake: the setting, where its value came from, what is wrong. */
export function settingProblems(issue: z.core.$ZodIssue, sources: readonly SettingsSource[]): readonly string[] {
  const path = issue.path.map(String);
  /** The last source that has something there, or in place of a tree above it. */
  const from = (place: readonly string[]) =>
    sources.findLast(({ tree }) => {
      const held = place.findIndex((_, end) => !isTree(valueAt(tree, place.slice(0, end + 1))));
      return held === -1 || valueAt(tree, place.slice(0, held + 1)) !== undefined;
    });
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => {
      const place = [...path, key];
      return unknownKey(place, from(place)?.origin(place) ?? 'the settings');
    });
  const name = path.join('.');
  const source = from(path);
  const value = valueAt(source?.tree, path);
  const isLeaf = settingLeaves().some(leaf => leaf.path.join('.') === name);
  const choices = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  const hint = typeof value === 'string' && !secrets.has(name) ? suggest(value, choices) : '';
  const origin = source?.origin(path) ?? `the defaults; set ${environmentName(path)}`;
  return [`${name}, from ${origin}: ${wanted(issue)}${got(name, value, isLeaf)}${hint}`];
}
