import type { SchemaStatus } from './store.ts';
import { StoreError } from './store-error.ts';

/** A numbered change of the schema. Never edited after it lands. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: readonly string[];
}

/** What the runner needs of a dialect; `locked` keeps other runners, of any process, out. */
export interface MigrationDriver {
  locked<T>(work: () => Promise<T>): Promise<T>;
  /** Creates the ledger `completiond_migrations` if it is missing. */
  createLedger(): Promise<void>;
  /** Version of the last migration in the ledger; 0 without a ledger. */
  version(): Promise<number>;
  /** Runs a migration and writes its ledger row, in one transaction where DDL has transactions. */
  run(migration: Migration): Promise<void>;
}

export const createLedgerSql = (types: { int: string; name: string; time: string; tableOptions: string }): string =>
  `create table if not exists completiond_migrations (
  version ${types.int} primary key,
  name ${types.name} not null,
  applied_at ${types.time} not null
)${types.tableOptions}`;

/** The state of a schema at `version` against these migrations. */
export function schemaStatus(version: number, migrations: readonly Migration[]): SchemaStatus {
  const latest = migrations.at(-1)?.version ?? 0;
  return { version, latest, upToDate: version === latest };
}

/** @throws StoreError `schema_too_new` when the database was migrated by a newer build. */
export function refuseNewer({ version, latest }: SchemaStatus): void {
  if (version > latest)
    throw new StoreError(
      'schema_too_new',
      { class: 'defect' },
      `the database's schema has version ${version}, this build knows up to ${latest}: run a newer completiond`,
    );
}

/** The one runner for all dialects; safe when many start at once, and a no-op when nothing is missing. */
export async function migrate(driver: MigrationDriver, migrations: readonly Migration[]): Promise<SchemaStatus> {
  return driver.locked(async () => {
    await driver.createLedger();
    const before = schemaStatus(await driver.version(), migrations);
    refuseNewer(before);
    for (const migration of migrations) if (migration.version > before.version) await driver.run(migration);
    return schemaStatus(await driver.version(), migrations);
  });
}
