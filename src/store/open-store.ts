import type { Settings } from '../../config/settings.ts';
import type { StatementObserver, Store } from './store.ts';

/** How a store is opened. */
export interface OpenOptions {
  readonly database: Settings['database'];
  /** Transactions that may be open at once in this process or thread; also its database connections. */
  readonly connections: number;
  /** Told of every statement of a transaction, for counting. */
  readonly observe?: StatementObserver | undefined;
}

/** The store behind a database URL. Drivers are imported on demand: one that is not used never loads. */
export async function openStore(options: OpenOptions): Promise<Store> {
  const scheme = options.database.url.slice(0, options.database.url.indexOf(':'));
  switch (scheme) {
    case 'sqlite': {
      const { SqliteStore } = await import('./sqlite/store.ts');
      return new SqliteStore(options);
    }
    case 'mysql':
    case 'mariadb': {
      const { MysqlStore } = await import('./mysql/store.ts');
      return MysqlStore.open(options);
    }
    case 'postgres':
    case 'postgresql': {
      const { PostgresStore } = await import('./postgres/store.ts');
      return new PostgresStore(options);
    }
    default:
      throw new TypeError(`no store for ${scheme}: URLs`);
  }
}
