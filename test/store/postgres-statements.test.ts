import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import pg from 'pg';
import { PostgresRenderer } from '../../src/store/postgres/renderer.ts';
import type { Columns, Query, Write } from '../../src/store/statement.ts';
import type { Table } from '../../src/store/table.ts';
import * as tables from '../../src/store/tables.ts';
import { PostgresFixture } from './postgres-fixture.ts';

/** SQLSTATE of a server that understood an INSERT and refused its nulls. */
const notNullViolation = '23502';

const folder = new URL('../../src/store/statements/', import.meta.url);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Every statement in an exported value, however deep. */
function statementsIn(value: unknown): readonly (Write | Query<Columns>)[] {
  if (!isRecord(value)) return [];
  if (typeof value.name === 'string' && typeof value.sql === 'function') return [value as unknown as Write];
  return Object.values(value).flatMap(statementsIn);
}

async function sharedStatements(): Promise<readonly (Write | Query<Columns>)[]> {
  const files = readdirSync(folder).filter(file => file.endsWith(extname(import.meta.url)) && !file.endsWith('.d.ts'));
  const modules = await Promise.all(files.map(file => import(new URL(file, folder).href)));
  return modules.flatMap(statementsIn);
}

describe('the shared statements on PostgreSQL', () => {
  const postgres = PostgresFixture.use();
  const renderer = new PostgresRenderer();

  /** Runs a statement with nothing but nulls: it is parsed, its parameters get types, and it is planned. */
  async function run(client: pg.Client, text: string): Promise<readonly string[]> {
    const values = Array.from({ length: text.match(/\$\d+/g)?.length ?? 0 }, () => null);
    return (await client.query(text, values)).fields.map(({ name }) => name);
  }

  async function withClient(work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }

  it('are all understood, and answer the columns they declare', () =>
    withClient(async client => {
      const statements = await sharedStatements();
      assert.ok(statements.length > 100);
      for (const statement of statements) {
        const columns = await run(client, renderer.text(statement)).catch((error: unknown) => {
          throw new Error(`${statement.name}: ${String(error)}`);
        });
        if ('columns' in statement) assert.deepEqual(columns.toSorted(), Object.keys(statement.columns).toSorted());
      }
    }));

  it('find every table with the columns it is inserted with, and null where it may be', () =>
    withClient(async client => {
      for (const table of Object.values(tables) as readonly Table[]) {
        const { rows } = await client.query<{ column_name: string; is_nullable: string }>(
          'select column_name, is_nullable from information_schema.columns where table_name = $1',
          [table.name],
        );
        const stored = rows.map(row => [row.column_name, row.is_nullable === 'YES'] as const);
        const declared = Object.entries(table.columns).map(([name, kind]) => [name, kind.endsWith('?')] as const);
        assert.deepEqual(Object.fromEntries(stored), Object.fromEntries(declared), table.name);
        const isNullRefused = (error: unknown) => (error as { code?: string }).code === notNullViolation;
        const { sql, values } = renderer.insert(table, [{}, {}]);
        await assert.rejects(client.query(sql, [...values]), isNullRefused, table.name);
      }
    }));
});
