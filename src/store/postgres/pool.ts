import { Socket } from 'node:net';
import pg, { type PoolClient } from 'pg';
import type { OpenOptions } from '../open-store.ts';
import { PostgresFailure } from './failure.ts';
import { clientConfig } from './options.ts';
import { Pipeline } from './pipeline.ts';
import type { Session } from './session.ts';

/** A client that belongs to its holder until it is released. */
export interface Checkout {
  readonly client: PoolClient;
  readonly pipeline: Pipeline;
  release(isBroken: boolean): void;
}

/** Idle clients are kept as long as a quiet minute. */
const idleTimeoutMs = 60_000;
/** The server's word for a session that is not inside a transaction. */
const noTransaction = 'I';
/** The server ends a statement at its time limit; this much later the network must have failed. */
const silenceGraceMs = 5_000;

/** The driver's pool; a client whose state is in doubt, or that is inside a transaction, is closed and never handed on. */
export class PostgresPool {
  readonly #pool: pg.Pool;
  readonly #pipelines = new WeakMap<PoolClient, Pipeline>();
  readonly #silenceMs: number;

  constructor({ database, connections }: OpenOptions, session: Session) {
    this.#silenceMs = database.statementTimeoutMs + silenceGraceMs;
    const config = clientConfig(database, session.limits);
    this.#pool = new pg.Pool({ ...config, max: connections, idleTimeoutMillis: idleTimeoutMs });
    // A client whose server goes away says so here; the pool drops it by itself.
    this.#pool.on('connect', client => void client.on('error', () => undefined));
    this.#pool.on('error', () => undefined);
  }

  /** Waits for a free client. @throws PostgresFailure. */
  async checkout(): Promise<Checkout> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw new PostgresFailure(error, 'connect');
    });
    const { stream } = client.connection;
    const socket = stream instanceof Socket ? stream : undefined;
    const onSilence = () =>
      void socket?.destroy(Object.assign(new Error('the server is silent'), { code: 'ETIMEDOUT' }));
    socket?.setTimeout(this.#silenceMs, onSilence);
    return {
      client,
      pipeline: this.#pipelineOf(client),
      release: isBroken => {
        socket?.setTimeout(0).off('timeout', onSilence);
        const isUnfit = isBroken || client.getTransactionStatus() !== noTransaction;
        client.release(isUnfit);
        if (isUnfit) stream.destroy();
      },
    };
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  #pipelineOf(client: PoolClient): Pipeline {
    const known = this.#pipelines.get(client);
    if (known) return known;
    const pipeline = new Pipeline(client);
    this.#pipelines.set(client, pipeline);
    return pipeline;
  }
}
