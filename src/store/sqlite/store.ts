import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Instant } from '../instant.ts';
import { createLedgerSql, type Migration, migrate, schemaStatus } from '../migrate.ts';
import type { OpenOptions } from '../open-store.ts';
import { Renderer } from '../renderer.ts';
import { inTransaction } from '../sql-transaction.ts';
import { type Columns, decodeRow, type Query, type Row, type Value } from '../statement.ts';
import type { Capabilities, SchemaStatus, Store, StoreTransaction } from '../store.ts';
import { PreparedStatements, SqliteConnection } from './connection.ts';
import { classify } from './errors.ts';
import { migrations, types } from './migrations.ts';
import { grammar } from './statements.ts';

/** WAL kept after a checkpoint, so that it does not stay at its largest size for ever. */
const journalSizeLimitBytes = 67_108_864;
/** Commits between two checkpoints of our own, which run when no transaction does: SQLite's own would run inside a commit. */
const commitsPerCheckpoint = 200;

/** `sqlite:PATH` or `sqlite://PATH` → the file's path. */
export function pathOf(url: string): string {
  return decodeURIComponent(url.replace(/^sqlite:(\/\/)?/, '').replace(/\?.*$/, ''));
}

/** SQLite in WAL mode: one handle writes, one transaction at a time; another one reads. */
export class SqliteStore implements Store {
  readonly kind = 'sqlite';
  readonly capabilities: Capabilities = { singleWriter: true, maxParameters: 32_766 };
  readonly walFile: string;
  readonly #path: string;
  readonly #options: OpenOptions;
  readonly #renderer = new Renderer(grammar, () => '?');
  readonly #writer: Database.Database;
  readonly #writerStatements: PreparedStatements;
  #reader: { readonly database: Database.Database; readonly statements: PreparedStatements } | undefined;
  /** Transactions of this store take turns: they share the writing handle. */
  #turn: Promise<void> = Promise.resolve();
  #commits = 0;

  constructor(options: OpenOptions) {
    this.#options = options;
    this.#path = pathOf(options.database.url);
    this.walFile = `${this.#path}-wal`;
    mkdirSync(dirname(this.#path), { recursive: true });
    this.#writer = this.#open();
    this.#writerStatements = new PreparedStatements(this.#writer);
  }

  #open(): Database.Database {
    const database = new Database(this.#path, { timeout: this.#options.database.lockTimeoutMs });
    database.defaultSafeIntegers(true);
    database.pragma('journal_mode = wal');
    database.pragma('synchronous = full');
    database.pragma(`journal_size_limit = ${journalSizeLimitBytes}`);
    return database;
  }

  async transaction<T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T> {
    const connect = async () => {
      const before = this.#turn;
      let next: () => void = () => undefined;
      this.#turn = new Promise(resolve => {
        next = resolve;
      });
      await before;
      return new SqliteConnection(this.#writer, this.#writerStatements, next);
    };
    const driver = { renderer: this.#renderer, observe: this.#options.observe, connect, classify };
    const result = await inTransaction(driver, work);
    this.#checkpointNowAndThen();
    return result;
  }

  #checkpointNowAndThen(): void {
    this.#commits += 1;
    if (this.#commits % commitsPerCheckpoint !== 0) return;
    this.#turn = this.#turn.then(() => {
      if (this.#writer.open) this.#writer.pragma('wal_checkpoint(passive)');
    });
  }

  async read<C extends Columns>(statement: Query<C>, values: readonly Value[]): Promise<readonly Row<C>[]> {
    if (this.#reader === undefined) {
      const database = this.#open();
      this.#reader = { database, statements: new PreparedStatements(database) };
    }
    const sql = this.#renderer.text(statement);
    try {
      const rows = this.#reader.statements.all({ name: statement.name, sql, values });
      return rows.map(row => decodeRow(statement.columns, row));
    } catch (error) {
      throw classify(error);
    }
  }

  async migrate(): Promise<SchemaStatus> {
    const run = async (sql: string) => void this.#writer.exec(sql);
    return migrate(
      {
        locked: async work => {
          await run('begin immediate');
          try {
            const result = await work();
            await run('commit');
            return result;
          } catch (error) {
            await run('rollback');
            throw error;
          }
        },
        createLedger: () => run(createLedgerSql(types)),
        version: async () => this.#version(),
        run: async ({ version, name, statements }: Migration) => {
          for (const statement of statements) await run(statement);
          this.#writer
            .prepare('insert into completiond_migrations (version, name, applied_at) values (?, ?, ?)')
            .run(BigInt(version), name, Instant.now().toString());
        },
      },
      migrations,
    ).catch((error: unknown) => {
      throw classify(error);
    });
  }

  #version(): number {
    const known = this.#writer.prepare(`select 1 from sqlite_master where name = 'completiond_migrations'`).get();
    if (known === undefined) return 0;
    const row = this.#writer.prepare('select max(version) as version from completiond_migrations').get();
    return Number((row as { version: bigint | null }).version ?? 0);
  }

  async schemaStatus(): Promise<SchemaStatus> {
    return schemaStatus(this.#version(), migrations);
  }

  async problems(): Promise<readonly string[]> {
    return [];
  }

  async close(): Promise<void> {
    await this.#turn;
    this.#reader?.database.close();
    this.#writer.close();
  }
}
