import pg from 'pg';
import { Instant } from '../instant.ts';
import type { Value } from '../statement.ts';

/** What the driver is given to bind: every value as PostgreSQL reads it from text, so that nothing is rounded on the way. */
export function bind(value: Value): string | null {
  if (value === null || typeof value === 'string') return value;
  return value instanceof Instant ? value.toString() : String(value);
}

const asText = (text: string): string => text;

/** By type oid: int8 exact, timestamptz, json and jsonb as the server wrote them. */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, BigInt],
  [pg.types.builtins.TIMESTAMPTZ, asText],
  [pg.types.builtins.JSON, asText],
  [pg.types.builtins.JSONB, asText],
]);

/** Type parsers of this store's own clients; the driver's global ones stay as they are. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format),
};
