import { createPool, type Pool, type PoolConnection } from 'mysql2';
import type { OpenOptions } from '../open-store.ts';
import { MysqlFailure } from './failure.ts';
import { poolOptions } from './options.ts';
import { prepareSession, type Session } from './session.ts';
import { cutSilentConnections } from './silence.ts';

/** A connection with its session's settings in force. */
export interface Checkout {
  readonly connection: PoolConnection;
  readonly session: Session;
}

/** The driver's pool, behind which every connection is set up before its first statement. */
export class MysqlPool {
  readonly #database: OpenOptions['database'];
  readonly #pool: Pool;
  readonly #sessions = new WeakMap<PoolConnection, Session>();

  constructor(options: OpenOptions) {
    this.#database = options.database;
    this.#pool = createPool(poolOptions(options));
    cutSilentConnections(this.#pool, options.database.statementTimeoutMs);
    // An idle connection that the server closes says so here; the pool drops it by itself.
    this.#pool.on('connection', connection => connection.on('error', () => undefined));
    this.#pool.on('error', () => undefined);
  }

  /** Waits for a free connection. @throws MysqlFailure. */
  async checkout(): Promise<Checkout> {
    const connection = await new Promise<PoolConnection>((resolve, reject) => {
      this.#pool.getConnection((error, found) => (error ? reject(new MysqlFailure(error)) : resolve(found)));
    });
    const known = this.#sessions.get(connection);
    if (known) return { connection, session: known };
    try {
      const session = await prepareSession(connection, this.#database);
      this.#sessions.set(connection, session);
      return { connection, session };
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /** Work outside transactions. A connection that failed is not used again. */
  async use<T>(work: (checkout: Checkout) => Promise<T>): Promise<T> {
    const checkout = await this.checkout();
    try {
      const result = await work(checkout);
      checkout.connection.release();
      return result;
    } catch (error) {
      checkout.connection.destroy();
      throw error;
    }
  }

  end(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pool.end(error => (error ? reject(new MysqlFailure(error)) : resolve()));
    });
  }
}
