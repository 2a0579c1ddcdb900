import pg from 'pg';
import { settingsSchema } from '../../config/settings.ts';
import { PostgresStore } from '../../src/store/postgres/store.ts';
import { query } from '../../src/store/statement.ts';
import type { Store } from '../../src/store/store.ts';
import { servers } from '../support/servers.ts';
import { WatchedWire } from '../support/watched-wire.ts';
import { runId } from './mysql-fixture.ts';

const memos = query(
  'memos',
  { name: 'text', value: 'text' },
  'select name, value from workflow_memos where workflow_run_id = ? order by id',
);
/** The server's process behind the transaction's connection. */
export const backend = query('backend', { pid: 'int' }, 'select pg_backend_pid() as pid');

/** A migrated database of its own for each test, and everything opened on it closed behind the test. */
export class PostgresFixture {
  readonly #stores: Store[] = [];
  readonly #wires: WatchedWire[] = [];
  #url = '';
  #store: Store | undefined;

  /** Registers the hooks of the suite it is called in. */
  static use(): PostgresFixture {
    const fixture = new PostgresFixture();
    beforeEach(async () => {
      fixture.#url = await servers.postgresUrl();
      fixture.#store = fixture.open();
      await fixture.#store.migrate();
    });
    afterEach(() => fixture.#close());
    return fixture;
  }

  get url(): string {
    return this.#url;
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error('only inside a test');
    return this.#store;
  }

  open(url = this.#url, settings: Record<string, unknown> = {}, connections = 4): Store {
    const { database } = settingsSchema.parse({ database: { url, lockTimeoutMs: 1_500, ...settings } });
    const store = new PostgresStore({ database, connections });
    this.#stores.push(store);
    return store;
  }

  /** A store that reaches its database through a watched wire. */
  async openWatched(settings: Record<string, unknown> = {}): Promise<{ store: Store; wire: WatchedWire }> {
    const watched = new URL(this.#url);
    const wire = await WatchedWire.open(watched.hostname, Number(watched.port));
    this.#wires.push(wire);
    watched.port = String(wire.port);
    return { store: this.open(watched.href, settings), wire };
  }

  /** A statement on a connection that no store has. */
  async ask(sql: string, url = this.#url): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  async kill(pid: number | undefined): Promise<void> {
    await this.ask(`select pg_terminate_backend(${pid})`);
  }

  /** Resolves when a backend of this database is in a state. */
  async until(condition: string): Promise<void> {
    const sql = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${condition}`;
    while ((await this.ask(sql)).length === 0) await new Promise(resolve => setTimeout(resolve, 20));
  }

  async storedMemos(): Promise<(readonly [name: string, value: string])[]> {
    return (await this.store.read(memos, [runId])).map(({ name, value }) => [name, value] as const);
  }

  async #close(): Promise<void> {
    for (const store of this.#stores.splice(0)) await store.close();
    for (const wire of this.#wires.splice(0)) await wire.close();
  }
}
