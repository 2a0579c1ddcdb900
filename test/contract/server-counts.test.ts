import assert from 'node:assert/strict';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { commandList, Drive } from '../support/drive.ts';
import { TestStore } from '../support/stores.ts';

/** What the contract, section 4, says forty records with a side effect behind the 35th cost, wait included. */
const expected = { executions: 2, attempts: 2, events: 5, allocations: 4, begins: 1, commits: 1 };

const patterns = {
  executions: /insert into activity_executions/gi,
  attempts: /insert into activity_attempts/gi,
  events: /insert into workflow_history_events/gi,
  allocations: /update workflow_runs\s+set last_history_sequence/gi,
  begins: /(?:^|;)\s*(?:begin|start transaction)\b/gi,
  commits: /(?:^|;)\s*commit\b/gi,
};

function count(statements: readonly { readonly text: string; readonly calls: number }[]): typeof expected {
  // MariaDB logs statements that were sent together as one text.
  const of = (pattern: RegExp) =>
    statements.reduce((sum, { text, calls }) => sum + calls * (text.match(pattern)?.length ?? 0), 0);
  return Object.fromEntries(Object.entries(patterns).map(([name, pattern]) => [name, of(pattern)])) as typeof expected;
}

describe('the statements of forty records and a side effect, counted by the server', () => {
  let test: TestStore;
  afterEach(() => test.close());

  it('are on PostgreSQL what the contract says', async () => {
    test = await TestStore.open('postgres');
    const drive = new Drive(test);
    const { task } = await drive.fresh();
    const client = new pg.Client(test.settings.database.url);
    await client.connect();
    try {
      await client.query('create extension if not exists pg_stat_statements');
      await client.query(
        'select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()), 0)',
      );
      await drive.complete(task, commandList('forty-records-and-a-side-effect'));
      const { rows } = await client.query<{ query: string; calls: string }>(
        'select query, calls from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())',
      );
      assert.deepEqual(count(rows.map(({ query, calls }) => ({ text: query, calls: Number(calls) }))), expected);
    } finally {
      await client.end();
    }
  });

  it('are on MariaDB what the contract says', async () => {
    test = await TestStore.open('mariadb');
    const drive = new Drive(test);
    const { task } = await drive.fresh();
    const database = new URL(test.settings.database.url).pathname.slice(1);
    const connection = await createConnection(test.settings.database.url);
    try {
      const logged = async (sql: string) => connection.query<RowDataPacket[]>(sql);
      await logged(`set global log_output = 'TABLE'`);
      await logged('set global general_log = 1');
      await drive.complete(task, commandList('forty-records-and-a-side-effect'));
      await logged('set global general_log = 0');
      const [threads] = await logged(`select id from information_schema.processlist where db = '${database}'`);
      const ids = threads.map(({ id }) => Number(id)).join(', ');
      const [rows] = await logged(
        `select cast(argument as char) as text from mysql.general_log where command_type in ('Query', 'Execute') and thread_id in (${ids})`,
      );
      assert.deepEqual(count(rows.map(({ text }) => ({ text: String(text), calls: 1 }))), expected);
    } finally {
      await connection.end();
    }
  });
});
