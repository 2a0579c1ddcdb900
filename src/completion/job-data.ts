import { Refusal } from './refusal.ts';

/** Objects and lists inside each other. MySQL's JSON type takes 100 levels, and an event's payload adds some of its own. */
export const maxNesting = 64;

/** Segments of a path that are told: enough to find the place, which is deeper still. */
const toldSegments = 8;

/** The way to a value that is too deep. Every job is looked through, so a path is made only when there is one to tell. */
function wayTooDeep(value: object, depth: number): string[] | undefined {
  if (depth >= maxNesting) return [];
  for (const [key, item] of Object.entries(value) as [string, unknown][]) {
    if (item === null || typeof item !== 'object') continue;
    const way = wayTooDeep(item, depth + 1);
    if (way !== undefined) return [key, ...way];
  }
  return undefined;
}

/** The path of a place that is nested too deep; undefined when there is none. Never looks deeper than the limit. */
export function tooDeepPath(value: unknown): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const way = wayTooDeep(value, 0);
  return way && `${way.slice(0, toldSegments).join('.')}.…`;
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
