import type { Value } from './statement.ts';

export type RawRow = Readonly<Record<string, unknown>>;

/** SQL with its values, as a dialect sends it. */
export interface BoundStatement {
  readonly name: string;
  readonly sql: string;
  readonly values: readonly Value[];
  /** A text that occurs in endless variants (multi-row INSERT): not to be kept prepared on the server. */
  readonly volatile?: boolean;
}

/**
 * One connection inside one transaction: what a dialect implements. Statements run in the order of the calls. `send` may
 * answer later than it returns; `query` and `commit` come after everything sent before, and reject with the first error.
 */
export interface Connection {
  begin(): void;
  send(statement: BoundStatement): void;
  /** Adds to a run's sequence; the value it then has must be `expected`, or the transaction fails. */
  allocate(runId: string, count: number, expected: bigint): void;
  query(statement: BoundStatement): Promise<readonly RawRow[]>;
  /** Resolves only when the server said COMMIT. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Gives the connection back; with an error it is closed instead, since its state is not known. */
  release(error?: unknown): void;
}
