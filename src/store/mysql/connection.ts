import type { PoolConnection } from 'mysql2';
import type { BoundStatement, Connection, RawRow } from '../connection.ts';
import { StoreError } from '../store-error.ts';
import { MysqlFailure } from './failure.ts';
import { type Answer, leavesTransactionOpen, roundTrip } from './round-trip.ts';
import type { Session } from './session.ts';
import { allocateSequences, beginTransaction, commitTransaction, rollbackTransaction } from './statements.ts';
import { type Bound, bind, largestSize } from './values.ts';

/** A statement that waits in the buffer, and who is told of its answer. */
interface Waiting {
  readonly name: string;
  readonly sql: string;
  readonly values: readonly Bound[];
  readonly onAnswer?: (answer: Answer) => void;
  readonly onFailure?: (error: unknown) => void;
}

/** Command byte and attribute counts of a query packet, generously. */
const packetOverheadBytes = 1_024;

/**
 * A transaction on one connection. Statements are buffered and go as one multi-statement text: at the end of the tick in which
 * something was asked, at commit, or before the text could outgrow a packet. One text is on the way at a time, and after a
 * failed one nothing is sent but the rollback: a COMMIT can never follow an error.
 */
export class MysqlConnection implements Connection {
  readonly #connection: PoolConnection;
  readonly #session: Session;
  #buffer: Waiting[] = [];
  #bufferBytes = 0;
  #flushIsDue = false;
  /** Ends when everything flushed so far is answered; never rejects. */
  #answered: Promise<void> = Promise.resolve();
  #wasUsed = false;
  #failure: unknown;

  constructor(connection: PoolConnection, session: Session) {
    this.#connection = connection;
    this.#session = session;
  }

  begin(): void {
    this.#add({ name: 'begin', sql: beginTransaction, values: [] });
  }

  send({ name, sql, values }: BoundStatement): void {
    this.#add({ name, sql, values: values.map(bind) });
  }

  allocate(runId: string, count: number, expected: bigint): void {
    const onAnswer = (answer: Answer) => {
      if (!('insertId' in answer) || BigInt(answer.insertId) !== expected)
        throw new StoreError('sequence_mismatch', { class: 'defect' }, `run ${runId}: its sequence is not what it was`);
    };
    const values = [count, expected, expected, runId];
    this.#add({ name: 'allocate-sequences', sql: allocateSequences, values, onAnswer });
  }

  query({ name, sql, values }: BoundStatement): Promise<readonly RawRow[]> {
    return new Promise((resolve, reject) => {
      const onAnswer = (answer: Answer) => resolve(answer as readonly RawRow[]);
      this.#add({ name, sql, values: values.map(bind), onAnswer, onFailure: reject });
      if (this.#flushIsDue) return;
      this.#flushIsDue = true;
      queueMicrotask(() => {
        this.#flushIsDue = false;
        this.#flush();
      });
    });
  }

  async commit(): Promise<void> {
    const onAnswer = (answer: Answer) => {
      if (leavesTransactionOpen(answer) !== false)
        throw new StoreError('commit_not_confirmed', { class: 'unknown' }, 'COMMIT was answered with something else');
    };
    this.#add({ name: 'commit', sql: commitTransaction, values: [], onAnswer });
    this.#flush();
    await this.#answered;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async rollback(): Promise<void> {
    this.#buffer = [];
    await this.#answered;
    const failure = this.#failure;
    this.#failure ??= new StoreError('transaction_ended', { class: 'defect' }, 'the transaction was rolled back');
    if (failure instanceof MysqlFailure && failure.isBreaking) throw failure;
    if (!this.#wasUsed) return;
    const [answer] = await roundTrip(this.#connection, [rollbackTransaction], []);
    if (leavesTransactionOpen(answer) !== false)
      throw new StoreError('rollback_not_confirmed', { class: 'defect' }, 'ROLLBACK left a transaction open');
  }

  release(error?: unknown): void {
    if (error === undefined) this.#connection.release();
    else this.#connection.destroy();
  }

  #add(statement: Waiting): void {
    const { sql, values, name, onFailure } = statement;
    const bytes = values.reduce<number>((sum, value) => sum + largestSize(value), sql.length + 2);
    // Sent, too large a text would only cost the connection: the server closes it while the text is still being written.
    if (bytes > this.#session.textBytes && this.#exactSize(sql, values) > this.#session.maxPacketBytes)
      this.#failure ??= new StoreError('packet_too_large', { class: 'defect' }, `${name}: over max_allowed_packet`);
    if (this.#failure !== undefined) {
      onFailure?.(this.#failure);
      return;
    }
    if (this.#bufferBytes + bytes > this.#session.textBytes) this.#flush();
    this.#buffer.push(statement);
    this.#bufferBytes += bytes;
  }

  #exactSize(sql: string, values: readonly Bound[]): number {
    return Buffer.byteLength(this.#connection.format(sql, [...values])) + packetOverheadBytes;
  }

  #flush(): void {
    const batch = this.#buffer;
    if (batch.length === 0) return;
    this.#buffer = [];
    this.#bufferBytes = 0;
    this.#answered = this.#answered.then(() => this.#run(batch));
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    try {
      if (this.#failure !== undefined) throw this.#failure;
      this.#wasUsed = true;
      const texts = batch.map(({ sql }) => sql);
      const answers = await roundTrip(
        this.#connection,
        texts,
        batch.flatMap(({ values }) => values),
      );
      for (const [index, answer] of answers.entries()) batch[index]?.onAnswer?.(answer);
    } catch (error) {
      if (error instanceof MysqlFailure && error.wasSent && error !== this.#failure) describe(error, batch);
      this.#failure ??= error;
      for (const { onFailure } of batch) onFailure?.(this.#failure);
    }
  }
}

/** Adds which statement failed, and what that says of a COMMIT at the batch's end. */
function describe(failure: MysqlFailure, batch: readonly Waiting[]): void {
  const isCommitting = batch.at(-1)?.name === 'commit';
  if (failure.errno === undefined) {
    if (isCommitting) failure.commit = 'unanswered';
    return;
  }
  failure.statement = batch[failure.answered]?.name ?? '';
  if (isCommitting && failure.answered >= batch.length - 1) failure.commit = 'refused';
}
