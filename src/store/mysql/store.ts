import { migrate, schemaStatus } from '../migrate.ts';
import type { OpenOptions } from '../open-store.ts';
import { Renderer } from '../renderer.ts';
import { inTransaction, type TransactionDriver } from '../sql-transaction.ts';
import { type Columns, decodeRow, type Query, type Row, type Value } from '../statement.ts';
import type { Capabilities, SchemaStatus, Store, StoreTransaction } from '../store.ts';
import { MysqlConnection } from './connection.ts';
import { classify } from './errors.ts';
import { migrationDriver, migrationsOf, schemaVersion } from './migrations.ts';
import { type Checkout, MysqlPool } from './pool.ts';
import { serverProblems } from './problems.ts';
import { rowsOf } from './round-trip.ts';
import { type Flavour, liftStatementTimeout } from './session.ts';
import { grammar } from './statements.ts';
import { bind } from './values.ts';

/** MariaDB 10.6+ or MySQL 8, by multi-statement texts: a completion takes two round trips. */
export class MysqlStore implements Store {
  readonly kind: Flavour;
  /** Nothing is prepared on the server, so no bind limit applies; this is the one that prepared statements have. */
  readonly capabilities: Capabilities = { singleWriter: false, maxParameters: 65_535 };
  readonly walFile = undefined;
  readonly #pool: MysqlPool;
  readonly #driver: TransactionDriver;

  private constructor(pool: MysqlPool, kind: Flavour, observe: OpenOptions['observe']) {
    this.kind = kind;
    this.#pool = pool;
    const connect = async () => {
      const { connection, session } = await pool.checkout();
      return new MysqlConnection(connection, session);
    };
    this.#driver = { renderer: new Renderer(grammar, () => '?'), observe, connect, classify };
  }

  /** Connects once, to learn which server it is. @throws StoreError when the server cannot be reached. */
  static async open(options: OpenOptions): Promise<MysqlStore> {
    const pool = new MysqlPool(options);
    try {
      const flavour = await pool.use(async ({ session }) => session.flavour);
      return new MysqlStore(pool, flavour, options.observe);
    } catch (error) {
      await pool.end().catch(() => undefined);
      throw classify(error);
    }
  }

  transaction<T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T> {
    return inTransaction(this.#driver, work);
  }

  async read<C extends Columns>(statement: Query<C>, values: readonly Value[]): Promise<readonly Row<C>[]> {
    const sql = this.#driver.renderer.text(statement);
    const rows = await this.#use(({ connection }) => rowsOf(connection, sql, values.map(bind)));
    return rows.map(row => decodeRow(statement.columns, row));
  }

  async migrate(): Promise<SchemaStatus> {
    return this.#use(async checkout => {
      await liftStatementTimeout(checkout.connection, checkout.session);
      try {
        return await migrate(migrationDriver(checkout), migrationsOf(this.kind));
      } finally {
        checkout.connection.destroy();
      }
    });
  }

  async schemaStatus(): Promise<SchemaStatus> {
    return schemaStatus(await this.#use(schemaVersion), migrationsOf(this.kind));
  }

  async problems(): Promise<readonly string[]> {
    return this.#use(serverProblems);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #use<T>(work: (checkout: Checkout) => Promise<T>): Promise<T> {
    try {
      return await this.#pool.use(work);
    } catch (error) {
      throw classify(error);
    }
  }
}
