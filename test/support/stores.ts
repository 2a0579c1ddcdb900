import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Settings, settingsSchema } from '../../config/settings.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { StatementObserver, Store } from '../../src/store/store.ts';
import { servers } from './servers.ts';

const mysql8 = process.env.COMPLETIOND_TEST_MYSQL8_URL;

/** The stores that the contract suite loops over; a real MySQL only where one was named. */
export const storeKinds = ['sqlite', 'postgres', 'mariadb', ...(mysql8 ? ['mysql'] : [])] as const;
export type StoreKind = (typeof storeKinds)[number];

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
    const directory = mkdtempSync(join(tmpdir(), 'completiond-store-'));
    const urls: Record<string, () => Promise<string> | string> = {
      sqlite: () => `sqlite:${directory}/t.db`,
      postgres: () => servers.postgresUrl(),
      mariadb: () => servers.mysqlUrl(),
      mysql: () => mysql8 ?? '',
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
    return new TestStore(
      kind,
      settings,
      observer => {
        observe = observer;
        return store;
      },
      () => rmSync(directory, { recursive: true, force: true }),
    );
  }

  clear(): void {
    this.statements.length = 0;
  }

  /** How many statements of a name there were since the last `clear`. */
  count(name: string): number {
    return this.statements.filter(statement => statement.name === name).length;
  }

  async close(): Promise<void> {
    await this.store.close();
    this.#remove();
  }
}
