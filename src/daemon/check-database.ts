import type { Settings } from '../../config/settings.ts';
import { openStore } from '../store/open-store.ts';
import { StoreError } from '../store/store-error.ts';

/** Something a person must change before the daemon can start; the message says what. */
export class StartError extends Error {
  readonly code = 'cannot_start';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StartError';
  }
}

/** What the daemon needs to know of its database before the first thread starts. */
export interface DatabaseFacts {
  readonly singleWriter: boolean;
  /** Of SQLite; undefined for servers. */
  readonly walFile: string | undefined;
}

/**
 * Opens the database once, brings its schema up to date if asked, and checks that it can keep the contract.
 * @throws StartError when it cannot be reached, has settings that break the contract, is not migrated, or was migrated by a newer build.
 */
export async function checkDatabase(database: Settings['database'], migrate: boolean): Promise<DatabaseFacts> {
  const explain = (error: unknown): never => {
    if (error instanceof StartError) throw error;
    throw new StartError(`the database cannot be used: ${(error as Error).message}`, error);
  };
  const store = await openStore({ database, connections: 1 }).catch(explain);
  try {
    const problems = await store.problems();
    if (problems.length > 0)
      throw new StartError(`the database cannot keep the contract:\n${problems.map(line => `  - ${line}`).join('\n')}`);
    const { version, latest, upToDate } = migrate ? await store.migrate() : await store.schemaStatus();
    if (version > latest)
      throw new StartError(
        `the database has schema version ${version}, this build knows up to ${latest}: run a newer completiond`,
      );
    if (!upToDate)
      throw new StartError(
        `the database has schema version ${version}, this build needs ${latest}: run completiond migrate, or start with --migrate`,
      );
    return { singleWriter: store.capabilities.singleWriter, walFile: store.walFile };
  } catch (error) {
    return explain(error);
  } finally {
    await store.close();
  }
}

/** Whether `checkDatabase` failed by what passes: the server is away, full or busy. */
export function isDatabaseAway(error: unknown): boolean {
  const { cause } = error as { readonly cause?: unknown };
  return cause instanceof StoreError && cause.failure.class === 'requeue';
}
