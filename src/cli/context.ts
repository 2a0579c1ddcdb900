import { InvalidArgumentError } from 'commander';
import { loadSettings } from '../../config/load.ts';
import type { Settings } from '../../config/settings.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { CliError } from './cli-error.ts';

/** Options that every command has. */
export interface GlobalOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** What commands share: the settings, and a store for as long as one needs it. */
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

  /** Opens the database with its schema up to date, and closes it after the work. */
  async withStore<T>(work: (store: Store, settings: Settings) => Promise<T>): Promise<T> {
    const settings = this.settings();
    const store = await openStore({ database: settings.database, connections: 1 });
    try {
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
      return await work(store, settings);
    } finally {
      await store.close();
    }
  }

  /** One JSON document with `--json`, else text for people. */
  print(document: unknown, text: () => string): void {
    process.stdout.write(this.json ? `${JSON.stringify(document)}\n` : `${text()}\n`);
  }
}

/** Parses an option that counts something. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('expected a whole number, 1 or more');
  return value;
}
