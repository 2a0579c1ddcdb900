import type { BoundStatement } from '../connection.ts';
import { Renderer } from '../renderer.ts';
import type { Kind, Value } from '../statement.ts';
import type { Table } from '../table.ts';
import { grammar } from './statements.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Types that an INSERT's rows are read as, by a column's kind; they become the column's own type as they are written. A JSON
 * document travels as a text of its own and is parsed by itself: whatever it is, it cannot change what surrounds it.
 */
const types: Readonly<Record<Exclude<Kind, `${string}?`>, string>> = {
  text: 'text',
  int: 'integer',
  bigint: 'bigint',
  float: 'double precision',
  bool: 'boolean',
  time: 'timestamptz',
  json: 'text',
};

/**
 * Rows go as one JSON document, so an INSERT has one text whatever their number, and stays prepared. As VALUES, parsing and
 * planning their parameters takes the server longer than writing them, with the run locked.
 */
export class PostgresRenderer extends Renderer {
  readonly #texts = new Map<string, string>();

  constructor() {
    super(grammar, position => `$${position}`);
  }

  override insert(table: Table, rows: readonly Row[]): BoundStatement {
    const document = `[${rows.map(row => rowText(table, row)).join()}]`;
    return { name: `insert-${table.name}`, sql: this.#textOf(table), values: [document] };
  }

  #textOf(table: Table): string {
    let text = this.#texts.get(table.name);
    if (text === undefined) {
      const columns = Object.entries(table.columns).map(([name, kind]) => {
        const base = kind.replace('?', '') as keyof typeof types;
        return { read: `${name} ${types[base]}`, written: base === 'json' ? `${name}::jsonb` : name };
      });
      text = `insert into ${table.name} (${table.columnNames.join(', ')})
  select ${columns.map(({ written }) => written).join(', ')}
  from json_to_recordset($1) as held (${columns.map(({ read }) => read).join(', ')})`;
      this.#texts.set(table.name, text);
    }
    return text;
  }
}

/** A row as a JSON object of texts that PostgreSQL reads values from; what is left out is null. */
function rowText(table: Table, row: Row): string {
  let text = '';
  for (const name of table.columnNames) {
    const value = row[name] as Value | undefined;
    if (value === null || value === undefined) continue;
    // Only texts hold what JSON has to escape.
    const quoted = typeof value === 'string' ? JSON.stringify(value) : `"${value}"`;
    text += `${text === '' ? '' : ','}"${name}":${quoted}`;
  }
  return `{${text}}`;
}
