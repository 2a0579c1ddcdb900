import type { BoundStatement, Connection, RawRow } from '../connection.ts';
import { StoreError } from '../store-error.ts';
import { allocation, PostgresFailure } from './failure.ts';
import type { Answer, Outgoing } from './pipeline.ts';
import type { Checkout } from './pool.ts';
import type { Session } from './session.ts';
import { allocateSequences, commitTransaction, rollbackTransaction } from './statements.ts';
import { bind } from './values.ts';

/** Told of a statement's end; without an answer it failed, or was not sent because of an earlier failure. */
type OnEnd = (answer: Answer | undefined, wasSent: boolean) => void;

/** Answers to COMMIT itself that can come from a server that is going down: they do not say what became of the transaction. */
const commitDoubts = /^(53|58|XX)/;

/**
 * A transaction on one client. Statements go out as they come, their answers are looked at when they arrive. After the first
 * error that is known here only ROLLBACK is sent; what was on its way by then the server refuses, a COMMIT among it.
 */
export class PostgresConnection implements Connection {
  readonly #checkout: Checkout;
  readonly #session: Session;
  /** Statements behind a write that came before BEGIN was answered: had BEGIN failed, each would commit by itself. */
  #held: (() => void)[] = [];
  #begun: 'no' | 'sent' | 'answered' = 'no';
  #failure: PostgresFailure | undefined;

  constructor(checkout: Checkout, session: Session) {
    this.#checkout = checkout;
    this.#session = session;
    checkout.client.on('error', this.#onError);
  }

  readonly #onError = (error: Error): void => {
    this.#failure ??= new PostgresFailure(error);
  };

  begin(): void {
    this.#begun = 'sent';
    const last = this.#session.begin.at(-1);
    for (const outgoing of this.#session.begin)
      this.#send(outgoing, () => {
        if (outgoing === last) this.#onBegun();
      });
  }

  send({ name, sql, values, volatile }: BoundStatement): void {
    this.#write(this.#session.outgoing(name, sql, values.map(bind), volatile));
  }

  allocate(runId: string, count: number, expected: bigint): void {
    const values = [String(count), runId, String(expected)];
    this.#write(this.#session.outgoing(allocation.statement, allocateSequences, values));
  }

  query({ name, sql, values, volatile }: BoundStatement): Promise<readonly RawRow[]> {
    const outgoing = this.#session.outgoing(name, sql, values.map(bind), volatile);
    return new Promise((resolve, reject) => {
      const send = () =>
        this.#send(outgoing, answer => {
          if (this.#failure === undefined) resolve(answer?.rows ?? []);
          else reject(this.#failure);
        });
      if (this.#held.length === 0) send();
      else this.#held.push(send);
    });
  }

  commit(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#write({ label: 'commit', text: commitTransaction }, (answer, wasSent) => {
        const failure = this.#failure;
        if (failure === undefined && answer?.tag === 'COMMIT') return resolve();
        if (failure === undefined) return reject(rolledBackBySilence());
        if (wasSent && answer?.tag !== 'ROLLBACK' && !saysNotCommitted(failure)) failure.commit = 'unanswered';
        return reject(failure);
      });
    });
  }

  async rollback(): Promise<void> {
    const before = this.#failure;
    this.#failure ??= new PostgresFailure({ code: 'transaction_ended', message: 'the transaction was rolled back' });
    if (before?.isBreaking && !before.isStaleStatement) throw before;
    if (this.#begun !== 'no') {
      const { tag } = await this.#checkout.pipeline.ask({ label: 'rollback', text: rollbackTransaction });
      if (tag !== 'ROLLBACK') throw new PostgresFailure({ code: 'rollback_not_confirmed', message: tag });
    }
    if (before?.isStaleStatement) throw before;
  }

  release(error?: unknown): void {
    this.#checkout.client.off('error', this.#onError);
    this.#checkout.release(error !== undefined);
  }

  #write(outgoing: Outgoing, onEnd: OnEnd = () => undefined): void {
    const send = () => this.#send(outgoing, onEnd);
    if (this.#begun === 'answered') send();
    else this.#held.push(send);
  }

  #onBegun(): void {
    this.#begun = 'answered';
    for (const send of this.#held.splice(0)) send();
  }

  #send(outgoing: Outgoing, onEnd: OnEnd): void {
    if (this.#failure !== undefined) onEnd(undefined, false);
    else
      this.#checkout.pipeline.send(outgoing, (failure, answer) => {
        if (failure !== undefined) this.#failure ??= failure;
        onEnd(failure === undefined ? answer : undefined, true);
      });
  }
}

function saysNotCommitted({ isDecisive, statement, code }: PostgresFailure): boolean {
  return isDecisive && (statement !== 'commit' || !commitDoubts.test(code));
}

function rolledBackBySilence(): StoreError {
  const failure = { class: 'requeue', requeueClass: 'serialization' } as const;
  return new StoreError('not_committed', failure, 'COMMIT was answered with a rollback, and no statement had failed');
}
