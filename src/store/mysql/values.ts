import { Instant } from '../instant.ts';
import type { Value } from '../statement.ts';

/** What the driver is given to bind. */
export type Bound = string | number | bigint | null;

/** Times as `YYYY-MM-DD HH:MM:SS.ffffff` of the UTC session, booleans as 0 and 1; integers stay exact as they are. */
export function bind(value: Value): Bound {
  if (value instanceof Instant) return value.toString().slice(0, -1).replace('T', ' ');
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value;
}

/** Widest number as text, its separator counted. */
const numberBytes = 26;

/** The most bytes that a value can take in a statement's text: escaping doubles a character at worst, and adds quotes. */
export function largestSize(value: Bound): number {
  return typeof value === 'string' ? Buffer.byteLength(value) * 2 + 4 : numberBytes;
}
