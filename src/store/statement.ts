import { Instant } from './instant.ts';

/** What may be bound to a statement. Integers that can pass 2^53 are bigints; JSON documents are their text. */
export type Value = string | number | bigint | boolean | Instant | null;

/** Where the dialects' SQL differs; each dialect folder has its own. Statements ask it, and nothing else. */
export interface Grammar {
  /** Behind a select: locks the rows it returns until the transaction ends. Empty where the transaction has the only writer. */
  readonly forUpdate: string;
  /** The same, passing over rows that somebody else has locked. */
  readonly forUpdateSkipLocked: string;
}

interface Kinds {
  text: string;
  int: number;
  bigint: bigint;
  float: number;
  bool: boolean;
  time: Instant;
  json: string;
}

/** A column's kind; with `?` it may be null. */
export type Kind = keyof Kinds | `${keyof Kinds}?`;
export type Columns = Readonly<Record<string, Kind>>;
type KindValue<K extends Kind> = K extends `${infer B extends keyof Kinds}?`
  ? Kinds[B] | null
  : K extends keyof Kinds
    ? Kinds[K]
    : never;
/** A row as a query returns it. */
export type Row<C extends Columns> = { readonly [K in keyof C]: KindValue<C[K]> };

/** A statement that writes. `?` stands for a parameter, in order; every dialect renders the text once. */
export interface Write {
  readonly name: string;
  readonly sql: (grammar: Grammar) => string;
}

/** A statement that returns rows of declared columns. */
export interface Query<C extends Columns> extends Write {
  readonly columns: C;
}

export function write(name: string, sql: string | ((grammar: Grammar) => string)): Write {
  return { name, sql: typeof sql === 'string' ? () => sql : sql };
}

export function query<const C extends Columns>(
  name: string,
  columns: C,
  sql: string | ((grammar: Grammar) => string),
): Query<C> {
  return { name, columns, sql: typeof sql === 'string' ? () => sql : sql };
}

/** `a, b, c` of a query's columns, each behind `prefix`. */
export function list(columns: Columns, prefix = ''): string {
  return Object.keys(columns)
    .map(column => prefix + column)
    .join(', ');
}

function decode(kind: Kind, value: unknown): string | number | bigint | boolean | Instant | null {
  if (value === null || value === undefined) return null;
  switch (kind.replace('?', '') as keyof Kinds) {
    case 'bigint':
      return BigInt(value as string | number | bigint);
    case 'int':
    case 'float':
      return Number(value);
    case 'bool':
      return typeof value === 'boolean' ? value : Number(value) !== 0;
    case 'time':
      return value instanceof Instant ? value : Instant.parse(String(value));
    default:
      return String(value);
  }
}

/** A driver's row → the declared kinds. This is the one place where numbers, times and booleans are converted on the way in. */
export function decodeRow<C extends Columns>(columns: C, raw: Readonly<Record<string, unknown>>): Row<C> {
  const row: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(columns)) row[name] = decode(kind, raw[name]);
  return row as Row<C>;
}
