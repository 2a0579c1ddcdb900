import type { Connection } from './connection.ts';
import type { Renderer } from './renderer.ts';
import { type Columns, decodeRow, type Query, type Row, type Value, type Write } from './statement.ts';
import type { StatementObserver, StoreTransaction } from './store.ts';
import { StoreError } from './store-error.ts';
import type { Table } from './table.ts';

/** The contract's transaction over any dialect's connection. */
export class SqlTransaction implements StoreTransaction {
  readonly #connection: Connection;
  readonly #renderer: Renderer;
  readonly #observe: StatementObserver | undefined;
  #statements = 0;
  #ended = false;

  constructor(connection: Connection, renderer: Renderer, observe: StatementObserver | undefined) {
    this.#connection = connection;
    this.#renderer = renderer;
    this.#observe = observe;
  }

  get statements(): number {
    return this.#statements;
  }

  write(statement: Write, values: readonly Value[]): void {
    const sql = this.#count(statement.name, this.#renderer.text(statement), 0);
    this.#connection.send({ name: statement.name, sql, values });
  }

  insert(table: Table, rows: readonly Readonly<Record<string, unknown>>[]): void {
    const statement = this.#renderer.insert(table, rows);
    this.#count(statement.name, statement.sql, rows.length);
    this.#connection.send(statement);
  }

  allocateSequences(runId: string, last: bigint, count: number): void {
    this.#count('allocate-sequences', 'allocate-sequences', 0);
    this.#connection.allocate(runId, count, last + BigInt(count));
  }

  async read<C extends Columns>(statement: Query<C>, values: readonly Value[]): Promise<readonly Row<C>[]> {
    const sql = this.#count(statement.name, this.#renderer.text(statement), 0);
    const rows = await this.#connection.query({ name: statement.name, sql, values });
    return rows.map(row => decodeRow(statement.columns, row));
  }

  /** Statements that begin or end the transaction are counted here too. */
  mark(name: 'begin' | 'commit' | 'rollback'): void {
    if (name === 'begin') this.#count(name, name, 0);
    else {
      this.#statements += 1;
      this.#ended = true;
      this.#observe?.(name, name, 0);
    }
  }

  #count(name: string, sql: string, rows: number): string {
    if (this.#ended)
      throw new StoreError('transaction_ended', { class: 'defect' }, `${name} after the transaction's end`);
    this.#statements += 1;
    this.#observe?.(name, sql, rows);
    return sql;
  }
}

/** What `inTransaction` needs of a dialect. */
export interface TransactionDriver {
  readonly renderer: Renderer;
  readonly observe: StatementObserver | undefined;
  connect(): Promise<Connection>;
  /** @param committing COMMIT had been sent: a lost answer means the outcome is not known. */
  classify(error: unknown, committing: boolean): StoreError;
}

/**
 * The one function that opens transactions: begin, work, commit. Any error ends the transaction: roll back without hiding
 * the error, and close the connection when the rollback did not answer cleanly.
 */
export async function inTransaction<T>(
  driver: TransactionDriver,
  work: (transaction: StoreTransaction) => Promise<T>,
): Promise<T> {
  let connection: Connection;
  try {
    connection = await driver.connect();
  } catch (error) {
    throw driver.classify(error, false);
  }
  const transaction = new SqlTransaction(connection, driver.renderer, driver.observe);
  let committing = false;
  let result: T;
  try {
    transaction.mark('begin');
    connection.begin();
    result = await work(transaction);
    committing = true;
    transaction.mark('commit');
    await connection.commit();
  } catch (error) {
    if (!committing) transaction.mark('rollback');
    const broken = await connection.rollback().then(
      () => undefined,
      (rollbackError: unknown) => rollbackError,
    );
    connection.release(broken);
    throw isOwn(error) ? error : driver.classify(error, committing);
  }
  connection.release();
  return result;
}

/** Errors that did not come from a driver: refusals and bugs of this code keep what they are. */
function isOwn(error: unknown): boolean {
  return error instanceof StoreError || (error instanceof Error && error.name === 'Refusal');
}
