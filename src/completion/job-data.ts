import { Refusal } from './refusal.ts';

/** Objects and lists inside each other. MySQL's JSON type takes 100 levels, and an event's payload adds some of its own. */
export const maxNesting = 64;

/** The path of a place that is nested too deep; undefined when there is none. Never deeper than the limit itself. */
export function tooDeepPath(value: unknown, path: readonly string[] = []): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (path.length >= maxNesting) return `${path.slice(0, 8).join('.')}.…`;
  for (const [key, item] of Object.entries(value)) {
    if (item === null || typeof item !== 'object') continue;
    const found = tooDeepPath(item, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a refusal says of such a place. */
export const describeTooDeep = (path: string): string => `${path}: nested deeper than ${maxNesting} levels`;

/** A job's JSON, parsed. @throws Refusal `invalid_completion` when it is none, or is nested too deep to be handled. */
export function parseJobData(json: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Refusal('invalid_completion', "the job's data is not JSON");
  }
  const path = tooDeepPath(value);
  if (path !== undefined) throw new Refusal('invalid_completion', describeTooDeep(path));
  return value;
}
