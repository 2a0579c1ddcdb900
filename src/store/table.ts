import type { Columns, Row, Value } from './statement.ts';

/** A table as rows are inserted into it; its DDL is in the migrations. */
export interface Table<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
  readonly columnNames: readonly string[];
}

/** A row to insert; what is left out is null. */
export type NewRow<T extends Table> = Partial<Row<T['columns']>>;

export function table<const C extends Columns>(name: string, columns: C): Table<C> {
  return { name, columns, columnNames: Object.keys(columns) };
}

/** Fixed cost of a value in the estimate below: type tag, length, separators and numbers of any width. */
const valueBytes = 16;

/**
 * Conservative estimate of a row's encoded size in bytes: the UTF-8 bytes of its texts plus a fixed cost a value. Too high
 * only makes an INSERT smaller; too low would let one pass the server's packet limit.
 */
export function estimateBytes(t: Table, row: Readonly<Record<string, unknown>>): number {
  let bytes = t.columnNames.length * valueBytes;
  for (const value of Object.values(row)) if (typeof value === 'string') bytes += Buffer.byteLength(value);
  return bytes;
}

/** A row's values in the order of the table's columns. */
export function valuesOf(t: Table, row: Readonly<Record<string, unknown>>): Value[] {
  return t.columnNames.map(name => (row[name] ?? null) as Value);
}
