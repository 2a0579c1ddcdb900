import pg from 'pg';
import { migrate, schemaStatus } from '../migrate.ts';
import type { OpenOptions } from '../open-store.ts';
import { inTransaction, type TransactionDriver } from '../sql-transaction.ts';
import { type Columns, decodeRow, type Query, type Row, type Value } from '../statement.ts';
import type { Capabilities, SchemaStatus, Store, StoreTransaction } from '../store.ts';
import { PostgresConnection } from './connection.ts';
import { classify } from './errors.ts';
import { PostgresFailure } from './failure.ts';
import { migrationDriver, migrations, schemaVersion } from './migrations.ts';
import { clientConfig } from './options.ts';
import { Pipeline } from './pipeline.ts';
import { PostgresPool } from './pool.ts';
import { serverProblems } from './problems.ts';
import { PostgresRenderer } from './renderer.ts';
import { Session } from './session.ts';

/** No limit, as PostgreSQL's settings say it. */
const unlimited = { statementTimeoutMs: 0, lockTimeoutMs: 0 };

/** PostgreSQL 13+, pipelined: a completion takes two round trips. Connects when it is first used. */
export class PostgresStore implements Store {
  readonly kind = 'postgres';
  readonly capabilities: Capabilities = { singleWriter: false, maxParameters: 65_535 };
  readonly walFile = undefined;
  readonly #database: OpenOptions['database'];
  readonly #session: Session;
  readonly #pool: PostgresPool;
  readonly #driver: TransactionDriver;

  constructor(options: OpenOptions) {
    this.#database = options.database;
    this.#session = new Session(options.database);
    this.#pool = new PostgresPool(options, this.#session);
    this.#driver = {
      renderer: new PostgresRenderer(),
      observe: options.observe,
      connect: async () => new PostgresConnection(await this.#pool.checkout(), this.#session),
      classify,
    };
  }

  transaction<T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T> {
    return inTransaction(this.#driver, work);
  }

  async read<C extends Columns>(statement: Query<C>, values: readonly Value[]): Promise<readonly Row<C>[]> {
    if (this.#session.isPooled)
      return inTransaction({ ...this.#driver, observe: undefined }, tx => tx.read(statement, values));
    const sql = this.#driver.renderer.text(statement);
    return this.#classified(async () => {
      const connection = await this.#driver.connect();
      try {
        const rows = await connection.query({ name: statement.name, sql, values });
        connection.release();
        return rows.map(row => decodeRow(statement.columns, row));
      } catch (error) {
        connection.release(error);
        throw error;
      }
    });
  }

  /** On a client of its own, without time limits: building an index on a large table takes long. */
  async migrate(): Promise<SchemaStatus> {
    return this.#classified(async () => {
      const client = new pg.Client(clientConfig(this.#database, this.#session.isPooled ? undefined : unlimited));
      client.on('error', () => undefined);
      try {
        await client.connect().catch((error: unknown) => {
          throw new PostgresFailure(error, 'connect');
        });
        return await migrate(migrationDriver(new Pipeline(client)), migrations);
      } finally {
        await client.end();
      }
    });
  }

  async schemaStatus(): Promise<SchemaStatus> {
    return schemaStatus(await this.#ask(schemaVersion), migrations);
  }

  async problems(): Promise<readonly string[]> {
    return this.#ask(pipeline => serverProblems(pipeline, this.#session.isPooled));
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  #ask<T>(work: (pipeline: Pipeline) => Promise<T>): Promise<T> {
    return this.#classified(async () => {
      const { pipeline, release } = await this.#pool.checkout();
      try {
        const result = await work(pipeline);
        release(false);
        return result;
      } catch (error) {
        release(true);
        throw error;
      }
    });
  }

  async #classified<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw classify(error);
    }
  }
}
