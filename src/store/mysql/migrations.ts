import { Instant } from '../instant.ts';
import { createLedgerSql, type Migration, type MigrationDriver } from '../migrate.ts';
import { type ColumnTypes, initialSchema } from '../schema.ts';
import { StoreError } from '../store-error.ts';
import { MysqlFailure } from './failure.ts';
import type { Checkout } from './pool.ts';
import { roundTrip, rowsOf } from './round-trip.ts';
import type { Flavour } from './session.ts';
import {
  begunMigration,
  finishLedgerRow,
  insertLedgerRow,
  ledgerVersion,
  releaseMigrationLock,
  tablesInTheWay,
  takeMigrationLock,
} from './statements.ts';
import { bind } from './values.ts';

/** Binary and without padding: `step-1`, `Step-1` and `step-1 ` are three names. */
export const collations: Readonly<Record<Flavour, string>> = {
  mariadb: 'utf8mb4_nopad_bin',
  mysql: 'utf8mb4_0900_bin',
};

/** Column types; the longest key, three names and a time, is 3,068 of the 3,072 bytes that InnoDB takes. */
export const typesOf = (flavour: Flavour): ColumnTypes => ({
  id: 'char(26)',
  name: 'varchar(255)',
  key: 'varchar(191)',
  blob: 'longtext',
  json: 'json',
  int: 'int',
  bigint: 'bigint',
  float: 'double',
  bool: 'tinyint(1)',
  time: 'datetime(6)',
  tableOptions: ` engine=InnoDB default charset=utf8mb4 collate=${collations[flavour]}`,
});

export const migrationsOf = (flavour: Flavour): readonly Migration[] => [
  { version: 1, name: 'initial', statements: initialSchema(typesOf(flavour)) },
];

/** How long a runner waits for another one; longer than any migration should take. */
const lockSeconds = 3_600;

/** Table exists, duplicate key name: what a runner that died in the middle had done already. */
const doneAlready = new Set([1050, 1061]);
const noSuchTable = 1146;

/** The migrations' side of one connection, which belongs to the runner alone. */
export function migrationDriver({ connection, session }: Checkout): MigrationDriver {
  const run = async (sql: string, values: readonly (string | number)[] = []) =>
    void (await roundTrip(connection, [sql], values));
  const now = () => String(bind(Instant.now()));

  /** @throws StoreError `schema_conflict` when tables are there that no migration of this ledger made. */
  const refuseForeignTables = async ({ statements }: Migration) => {
    const names = statements.flatMap(sql => /^create table (\w+)/.exec(sql)?.[1] ?? []);
    const found = names.length === 0 ? [] : await rowsOf(connection, tablesInTheWay, [names]);
    if (found.length === 0) return;
    const list = found.map(({ name }) => name).join(', ');
    const message = `the database has tables that completiond did not make: ${list}`;
    throw new StoreError('schema_conflict', { class: 'defect' }, message);
  };

  return {
    locked: async work => {
      const [row] = await rowsOf(connection, takeMigrationLock, [lockSeconds]);
      if (Number(row?.taken) !== 1) {
        const failure = { class: 'requeue', requeueClass: 'lock_wait' } as const;
        throw new StoreError('migration_lock', failure, `another migration has run for over ${lockSeconds} s`);
      }
      try {
        return await work();
      } finally {
        await run(releaseMigrationLock).catch(() => undefined);
      }
    },
    createLedger: () => run(createLedgerSql(typesOf(session.flavour))),
    version: () => schemaVersion({ connection, session }),
    run: async migration => {
      const { version, name, statements } = migration;
      const [begun] = await rowsOf(connection, begunMigration, [-version]);
      if (begun === undefined) {
        await refuseForeignTables(migration);
        await run(insertLedgerRow, [-version, name, now()]);
      }
      for (const statement of statements)
        await run(statement).catch((error: unknown) => {
          if (!(error instanceof MysqlFailure && doneAlready.has(error.errno ?? 0))) throw error;
        });
      await run(finishLedgerRow, [version, now(), -version]);
    },
  };
}

/** Version of the last finished migration; 0 without a ledger. @throws MysqlFailure. */
export async function schemaVersion({ connection }: Checkout): Promise<number> {
  try {
    const [row] = await rowsOf(connection, ledgerVersion);
    return Number(row?.version);
  } catch (error) {
    if (error instanceof MysqlFailure && error.errno === noSuchTable) return 0;
    throw error;
  }
}
