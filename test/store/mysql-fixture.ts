import assert from 'node:assert/strict';
import { createConnection } from 'mysql2/promise';
import { settingsSchema } from '../../config/settings.ts';
import { Instant } from '../../src/store/instant.ts';
import { MysqlStore } from '../../src/store/mysql/store.ts';
import { query, write } from '../../src/store/statement.ts';
import type { Store, StoreTransaction } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { workflowMemos } from '../../src/store/tables.ts';
import { servers } from '../support/servers.ts';
import { WatchedWire } from '../support/watched-wire.ts';

const memos = query(
  'memos',
  { name: 'text', value: 'text' },
  'select name, value from workflow_memos where workflow_run_id = ? order by id',
);
/** Parameters: name. */
export const memoByName = query(
  'memo-by-name',
  { id: 'text', value: 'text' },
  'select id, value from workflow_memos where name = ?',
);
export const threadId = query('thread-id', { id: 'int' }, 'select connection_id() as id');
/** Parameters: value, id. */
export const touchMemo = write('touch-memo', 'update workflow_memos set value = ? where id = ?');

export const runId = 'R'.padEnd(26, '0');
export const idOf = (n: number) => String(n).padStart(26, '0');
export const now = Instant.parse('2026-12-01T10:11:01.123456Z');
export const stamps = { created_at: now, updated_at: now };

/** A row that is easy to find again. */
export function insertMemo(tx: StoreTransaction, id: number, value = 'x', name = `memo-${id}`): void {
  tx.insert(workflowMemos, [{ id: idOf(id), workflow_run_id: runId, name, value, ...stamps }]);
}

/** For `assert.rejects`: a store error of that class, and code. */
export const isClass = (failure: StoreError['failure'], code?: string) => (error: unknown) => {
  assert.ok(error instanceof StoreError, String(error));
  assert.deepEqual(error.failure, failure);
  if (code !== undefined) assert.equal(error.code, code);
  return true;
};

/** A migrated database of its own for each test, and everything opened on it closed behind the test. */
export class MysqlFixture {
  readonly #stores: Store[] = [];
  readonly #wires: WatchedWire[] = [];
  #url = '';
  #store: Store | undefined;

  /** Registers the hooks of the suite it is called in. */
  static use(): MysqlFixture {
    const fixture = new MysqlFixture();
    beforeEach(async () => {
      fixture.#url = await servers.mysqlUrl();
      fixture.#store = await fixture.open(fixture.#url);
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

  async open(url: string, settings: Record<string, unknown> = {}, connections = 4): Promise<Store> {
    const { database } = settingsSchema.parse({ database: { url, lockTimeoutMs: 1_000, ...settings } });
    const store = await MysqlStore.open({ database, connections });
    this.#stores.push(store);
    return store;
  }

  /** A store that reaches its database through a watched wire. */
  async openWatched(url = this.#url): Promise<{ store: Store; wire: WatchedWire }> {
    const watched = new URL(url);
    const wire = await WatchedWire.open(watched.hostname, Number(watched.port));
    this.#wires.push(wire);
    watched.port = String(wire.port);
    return { store: await this.open(watched.href), wire };
  }

  /** A statement on a connection that no store has. */
  async ask(sql: string): Promise<Record<string, unknown>[]> {
    const connection = await createConnection(this.#url);
    try {
      const [rows] = await connection.query(sql);
      return rows as Record<string, unknown>[];
    } finally {
      await connection.end();
    }
  }

  async storedMemos(): Promise<(readonly [name: string, value: string])[]> {
    return (await this.store.read(memos, [runId])).map(({ name, value }) => [name, value] as const);
  }

  async #close(): Promise<void> {
    for (const store of this.#stores.splice(0)) await store.close();
    for (const wire of this.#wires.splice(0)) await wire.close();
  }
}
