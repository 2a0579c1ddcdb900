import type { Grammar, Write } from './statement.ts';
import type { Table } from './table.ts';

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

  insert(table: Table, rows: number): string {
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
