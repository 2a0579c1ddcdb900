import type Database from 'better-sqlite3';
import type { BoundStatement, Connection, RawRow } from '../connection.ts';
import { Instant } from '../instant.ts';
import type { Value } from '../statement.ts';
import { StoreError } from '../store-error.ts';
import { allocateSequences } from './statements.ts';

type Bound = string | bigint | number | null;

/** better-sqlite3 binds every number as REAL: integers go as bigint, times as ISO text, booleans as 0 and 1. */
export function bind(value: Value): Bound {
  if (value === null || typeof value === 'string' || typeof value === 'bigint') return value;
  if (value instanceof Instant) return value.toString();
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return Number.isSafeInteger(value) ? BigInt(value) : value;
}

/** Prepared statements of one database handle, kept by text; multi-row INSERTs have at most as many texts as rows. */
export class PreparedStatements {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  get(sql: string): Database.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  all({ sql, values }: BoundStatement): RawRow[] {
    return this.get(sql).all(...values.map(bind)) as RawRow[];
  }
}

/** A transaction on the one writing handle. Statements run as they are sent: there is no round trip to save. */
export class SqliteConnection implements Connection {
  readonly #database: Database.Database;
  readonly #statements: PreparedStatements;
  readonly #onRelease: () => void;

  constructor(database: Database.Database, statements: PreparedStatements, onRelease: () => void) {
    this.#database = database;
    this.#statements = statements;
    this.#onRelease = onRelease;
  }

  begin(): void {
    this.#statements.get('begin immediate').run();
  }

  send({ sql, values }: BoundStatement): void {
    this.#statements.get(sql).run(...values.map(bind));
  }

  allocate(runId: string, count: number, expected: bigint): void {
    const row = this.#statements.get(allocateSequences).get(BigInt(count), runId) as
      | { last_history_sequence: bigint }
      | undefined;
    if (row?.last_history_sequence !== expected)
      throw new StoreError(
        'sequence_mismatch',
        { class: 'defect' },
        `run ${runId}: its sequence is not what the lock showed`,
      );
  }

  async query(statement: BoundStatement): Promise<readonly RawRow[]> {
    return this.#statements.all(statement);
  }

  async commit(): Promise<void> {
    this.#statements.get('commit').run();
  }

  async rollback(): Promise<void> {
    if (this.#database.inTransaction) this.#statements.get('rollback').run();
  }

  release(): void {
    this.#onRelease();
  }
}
