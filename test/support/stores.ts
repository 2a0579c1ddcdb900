import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { type Settings, settingsSchema } from '../../config/settings.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { StatementObserver, Store } from '../../src/store/store.ts';
import { temporaryPath } from './servers/temporary-folder.ts';
import { Servers, servers } from './servers.ts';

const mysql8 = process.env.COMPLETIOND_TEST_MYSQL8_URL;
const mysql8Server = new Servers({ COMPLETIOND_TEST_MYSQL_URL: mysql8 });

/** The stores that the contract suite loops over; a real MySQL only where one was named. */
export const storeKinds = ['sqlite', 'postgres', 'mariadb', ...(mysql8 ? ['mysql'] : [])] as const;
export type StoreKind = (typeof storeKinds)[number];

/** Suites that opened a store and have not closed it. */
const open = new Map<TestStore, string>();

// A hook of the root suite, where there is one: a leaked store fails the run.
if (typeof after === 'function')
  after(async () => {
    await mysql8Server.stop();
    assert.deepEqual([...open.values()], [], 'stores that no test has closed');
  });

function caller(): string {
  const lines = new Error().stack?.split('\n') ?? [];
  return lines.find(line => line.includes('.test.ts'))?.trim() ?? 'not a test file';
}

/** A store on a fresh database of its own, with what is needed to open more of the same. */
export class TestStore {
  readonly kind: StoreKind;
  readonly settings: Settings;
  readonly store: Store;
  /** Names and rows of the statements since the last `clear`. */
  readonly statements: { readonly name: string; readonly rows: number }[] = [];
  readonly #remove: () => void;

  private constructor(
    kind: StoreKind,
    settings: Settings,
    open: (observe: StatementObserver) => Store,
    remove: () => void,
  ) {
    this.kind = kind;
    this.settings = settings;
    this.#remove = remove;
    this.store = open((name, _, rows) => this.statements.push({ name, rows }));
  }

  static async open(kind: StoreKind, overrides: object = {}): Promise<TestStore> {
    const openedBy = caller();
    const directory = temporaryPath('store');
    mkdirSync(directory);
    const urls: Record<string, () => Promise<string> | string> = {
      sqlite: () => `sqlite:${directory}/t.db`,
      postgres: () => servers.postgresUrl(),
      mariadb: () => servers.mysqlUrl(),
      mysql: () => mysql8Server.mysqlUrl(),
    };
    const url = (await urls[kind]?.()) ?? '';
    const settings = settingsSchema.parse({ ...overrides, database: { url, lockTimeoutMs: 4_000 } });
    let observe: StatementObserver = () => undefined;
    const store = await openStore({
      database: settings.database,
      connections: 8,
      observe: (...args) => observe(...args),
    });
    await store.migrate();
    const test = new TestStore(
      kind,
      settings,
      observer => {
        observe = observer;
        return store;
      },
      () => rmSync(directory, { recursive: true, force: true }),
    );
    open.set(test, openedBy);
    return test;
  }

  clear(): void {
    this.statements.length = 0;
  }

  /** How many statements of a name there were since the last `clear`. */
  count(name: string): number {
    return this.statements.filter(statement => statement.name === name).length;
  }

  async close(): Promise<void> {
    open.delete(this);
    await this.store.close();
    this.#remove();
  }
}
