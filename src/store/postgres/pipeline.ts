import type { Client, QueryResult } from 'pg';
import type { RawRow } from '../connection.ts';
import { PostgresFailure } from './failure.ts';

/** One statement on its way to the server. */
export interface Outgoing {
  /** For messages. */
  readonly label: string;
  readonly text: string;
  readonly values?: readonly (string | null)[];
  /** Under which it stays prepared on the server; without it, it does not. */
  readonly preparedName?: string | undefined;
}

/** A statement's answer. */
export interface Answer {
  /** The command's tag: `COMMIT`, `UPDATE`, … */
  readonly tag: string;
  readonly rows: readonly RawRow[];
}

/** Told of a statement's end, in the order of the statements. */
export type Settle = (failure: PostgresFailure | undefined, answer: Answer) => void;

const noAnswer: Answer = { tag: '', rows: [] };

/** Statements to one client, none waiting for the answers to those before it; what one tick sends leaves in one piece. */
export class Pipeline {
  readonly #client: Client;
  #isCorked = false;

  constructor(client: Client) {
    this.#client = client;
  }

  /** `settle` is called exactly once, and never before this returns. */
  send({ label, text, values, preparedName }: Outgoing, settle: Settle): void {
    this.#cork();
    const query = {
      text,
      ...(values === undefined ? {} : { values: [...values] }),
      ...(preparedName === undefined ? {} : { name: preparedName }),
    };
    const onAnswer = (error: Error | null, result: QueryResult | QueryResult[] | undefined) => {
      if (error !== null && error !== undefined) return settle(new PostgresFailure(error, label), noAnswer);
      const last = Array.isArray(result) ? result.at(-1) : result;
      return settle(undefined, { tag: last?.command ?? '', rows: last?.rows ?? [] });
    };
    // With a callback there is no promise.
    void this.#client.query(query, onAnswer);
  }

  /** Waits for the answer. @throws PostgresFailure. */
  ask(outgoing: Outgoing): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.send(outgoing, (failure, answer) => (failure ? reject(failure) : resolve(answer)));
    });
  }

  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { stream } = this.#client.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }
}
