import { Instant } from '../instant.ts';
import { createLedgerSql, type Migration, type MigrationDriver } from '../migrate.ts';
import { type ColumnTypes, initialSchema } from '../schema.ts';
import { StoreError } from '../store-error.ts';
import { PostgresFailure } from './failure.ts';
import type { Pipeline } from './pipeline.ts';
import {
  beginTransaction,
  commitTransaction,
  insertLedgerRow,
  ledgerTable,
  ledgerVersion,
  rollbackTransaction,
  takeMigrationLock,
} from './statements.ts';

/** Column types. Keys stay at the length that every database here can index. */
export const types: ColumnTypes = {
  id: 'char(26)',
  name: 'varchar(255)',
  key: 'varchar(191)',
  blob: 'text',
  json: 'jsonb',
  int: 'integer',
  bigint: 'bigint',
  float: 'double precision',
  bool: 'boolean',
  time: 'timestamptz(6)',
  tableOptions: '',
};

export const migrations: readonly Migration[] = [{ version: 1, name: 'initial', statements: initialSchema(types) }];

const duplicateTable = '42P07';

/** Version of the last migration; 0 without a ledger. @throws PostgresFailure. */
export async function schemaVersion(pipeline: Pipeline): Promise<number> {
  const { rows: tables } = await pipeline.ask({ label: 'ledger-table', text: ledgerTable });
  if (tables[0]?.is_there !== true) return 0;
  const { rows } = await pipeline.ask({ label: 'ledger-version', text: ledgerVersion });
  return Number(rows[0]?.version);
}

/** The migrations' side of one client. DDL has transactions here: all that is missing is applied in one, or nothing is. */
export function migrationDriver(pipeline: Pipeline): MigrationDriver {
  const run = async (label: string, text: string, values?: readonly string[]) =>
    pipeline.ask(values === undefined ? { label, text } : { label, text, values });
  return {
    locked: async work => {
      await run('begin', beginTransaction);
      try {
        await run('migration-lock', takeMigrationLock);
        const result = await work();
        const { tag } = await run('commit', commitTransaction);
        if (tag !== 'COMMIT')
          throw new StoreError('not_committed', { class: 'defect' }, 'the migration was rolled back');
        return result;
      } catch (error) {
        await run('rollback', rollbackTransaction).catch(() => undefined);
        throw error;
      }
    },
    createLedger: async () => void (await run('create-ledger', createLedgerSql(types))),
    version: () => schemaVersion(pipeline),
    run: async ({ version, name, statements }) => {
      try {
        for (const statement of statements) await run(`migration-${version}`, statement);
      } catch (error) {
        if (!(error instanceof PostgresFailure) || error.code !== duplicateTable) throw error;
        const message = `migration ${version} would create a table or index that is there and that completiond did not make`;
        throw new StoreError('schema_conflict', { class: 'defect' }, message, error);
      }
      await run('ledger-row', insertLedgerRow, [String(version), name, Instant.now().toString()]);
    },
  };
}
