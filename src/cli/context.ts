import { once } from 'node:events';
import { loadSettings } from '../../config/load.ts';
import type { Settings } from '../../config/settings.ts';
import type { QueueAdmin } from '../queue/admin.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { CliError } from './cli-error.ts';

/** Options that every command has. */
export interface GlobalOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** What commands share: the settings, a store or a queue for as long as one needs it, and the output. */
export class CliContext {
  readonly #options: () => GlobalOptions;

  constructor(options: () => GlobalOptions) {
    this.#options = options;
  }

  get json(): boolean {
    return this.#options().json ?? false;
  }

  /** @throws ConfigError */
  settings(): Settings {
    return loadSettings({ configFile: this.#options().config });
  }

  /** The database, whatever its schema; closed after the work. */
  async withDatabase<T>(work: (store: Store, settings: Settings) => Promise<T>): Promise<T> {
    const settings = this.settings();
    const store = await openStore({ database: settings.database, connections: 1 }).catch((error: unknown) => {
      // A URL that the store cannot take is a setting that a person wrote.
      throw error instanceof TypeError ? new CliError(error.message, 2) : error;
    });
    try {
      return await work(store, settings);
    } finally {
      await store.close();
    }
  }

  /** The database with its schema up to date; closed after the work. */
  withStore<T>(work: (store: Store, settings: Settings) => Promise<T>): Promise<T> {
    return this.withDatabase(async (store, settings) => {
      const { upToDate, version, latest } = await store.schemaStatus();
      if (version > latest)
        throw new CliError(
          `the database has schema version ${version}, this build knows up to ${latest}: use a newer completiond`,
        );
      if (!upToDate) {
        if (!store.capabilities.singleWriter)
          throw new CliError(
            `the database has schema version ${version}, this build needs ${latest}: run completiond migrate`,
          );
        await store.migrate();
      }
      return work(store, settings);
    });
  }

  /** The queue as operators see it; closed after the work. */
  async withQueue<T>(work: (admin: QueueAdmin) => Promise<T>): Promise<T> {
    const { QueueAdmin } = await import('../queue/admin.ts');
    const admin = await QueueAdmin.connect(this.settings().queue).catch((error: unknown) => {
      const { message, code } = error as NodeJS.ErrnoException;
      throw new CliError(`the queue cannot be reached: ${message || code}`);
    });
    try {
      return await work(admin);
    } finally {
      await admin.close();
    }
  }

  /** One JSON document with `--json`, else text for people. */
  print(document: unknown, text: () => string): void {
    process.stdout.write(this.json ? `${JSON.stringify(document)}\n` : `${text()}\n`);
  }

  /** A part of a long output; waits for a reader who is slower. */
  async write(part: string): Promise<void> {
    if (!process.stdout.write(part)) await once(process.stdout, 'drain');
  }
}
