import type { Columns, Query, Row, Value, Write } from './statement.ts';
import type { StoreError } from './store-error.ts';
import type { Table } from './table.ts';

/** What a database can and cannot do; code outside a dialect's folder asks these, never the dialect. */
export interface Capabilities {
  /** Transactions that write run one at a time: more than one writing thread a database only waits. */
  readonly singleWriter: boolean;
  /** Bind parameters that one statement may carry. */
  readonly maxParameters: number;
}

/** Told of every statement that goes to the database, for counting. `rows` of a multi-row INSERT, else 0. */
export type StatementObserver = (name: string, sql: string, rows: number) => void;

/**
 * One open transaction. Writes are sent without waiting where the driver can; their answers are checked at the next read and
 * at commit. The first error ends it: nothing more is sent but the rollback.
 */
export interface StoreTransaction {
  write(statement: Write, values: readonly Value[]): void;
  /** One multi-row INSERT; the caller keeps rows within the bounds. */
  insert(table: Table, rows: readonly Readonly<Record<string, unknown>>[]): void;
  /** `last_history_sequence + count` for a run whose row this transaction has locked at `last`. */
  allocateSequences(runId: string, last: bigint, count: number): void;
  /** Reads that are started together go in one round trip where the driver can; they run in the order of the calls. */
  read<C extends Columns>(statement: Query<C>, values: readonly Value[]): Promise<readonly Row<C>[]>;
  /** Statements sent so far, begin included. */
  readonly statements: number;
}

/** Schema state of a database against this build's migrations. */
export interface SchemaStatus {
  readonly version: number;
  readonly latest: number;
  readonly upToDate: boolean;
}

/**
 * A database with the contract's tables. It hides the dialect: SQL text, placeholders, value conversion, error codes, how a
 * transaction is begun and how many connections there are.
 */
export interface Store {
  /** `sqlite`, `postgres`, `mariadb` or `mysql`: for people to read, not for code to branch on. */
  readonly kind: string;
  readonly capabilities: Capabilities;
  /** File whose size tells of a write-ahead log that grows; undefined where the server looks after it. */
  readonly walFile: string | undefined;
  /** Begin, work, commit; on any error roll back and throw it classified. Refusals pass through as they are. */
  transaction<T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T>;
  /** A read outside any transaction. */
  read<C extends Columns>(statement: Query<C>, values: readonly Value[]): Promise<readonly Row<C>[]>;
  /** Brings the schema up to date; safe when many do so at once. Refuses a schema newer than this build. */
  migrate(): Promise<SchemaStatus>;
  schemaStatus(): Promise<SchemaStatus>;
  /** Everything about the server that would break the contract, one line each; empty when all is well. */
  problems(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export type { StoreError };
