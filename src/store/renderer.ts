import type { BoundStatement } from './connection.ts';
import type { Grammar, Write } from './statement.ts';
import { type Table, valuesOf } from './table.ts';

/** Statements → one dialect's SQL text; each text is made once. */
export class Renderer {
  readonly #grammar: Grammar;
  readonly #placeholder: (position: number) => string;
  readonly #texts = new Map<Write, string>();
  readonly #inserts = new Map<string, string>();

  /** @param placeholder the text of the n-th parameter, counted from 1. */
  constructor(grammar: Grammar, placeholder: (position: number) => string) {
    this.#grammar = grammar;
    this.#placeholder = placeholder;
  }

  text(statement: Write): string {
    let text = this.#texts.get(statement);
    if (text === undefined) {
      let position = 0;
      text = statement.sql(this.#grammar).replaceAll('?', () => this.#placeholder(++position));
      this.#texts.set(statement, text);
    }
    return text;
  }

  /** One INSERT of all rows. Its text varies with their number; a dialect with a fixed text overrides this. */
  insert(table: Table, rows: readonly Readonly<Record<string, unknown>>[]): BoundStatement {
    const values = rows.flatMap(row => valuesOf(table, row));
    return { name: `insert-${table.name}`, sql: this.#insertText(table, rows.length), values, volatile: true };
  }

  #insertText(table: Table, rows: number): string {
    const key = `${table.name}:${rows}`;
    let text = this.#inserts.get(key);
    if (text === undefined) {
      const columns = table.columnNames;
      let position = 0;
      const row = () => `(${columns.map(() => this.#placeholder(++position)).join(', ')})`;
      text = `insert into ${table.name} (${columns.join(', ')}) values ${Array.from({ length: rows }, row).join(', ')}`;
      this.#inserts.set(key, text);
    }
    return text;
  }
}
