import assert from 'node:assert/strict';
import pg from 'pg';
import { settingsSchema } from '../../config/settings.ts';
import { parseCompletion } from '../../src/completion/completion.ts';
import { Instant } from '../../src/store/instant.ts';
import { openStore } from '../../src/store/open-store.ts';
import { Pipeline } from '../../src/store/postgres/pipeline.ts';
import { serverProblems } from '../../src/store/postgres/problems.ts';
import { query } from '../../src/store/statement.ts';
import type { Store } from '../../src/store/store.ts';
import { workflowMemos } from '../../src/store/tables.ts';
import { verify } from '../../src/store/verify.ts';
import { applyCompletion } from '../../src/transaction/apply-completion.ts';
import { claimTask } from '../../src/transaction/claim-task.ts';
import { prepareCompletion } from '../../src/transaction/prepare-completion.ts';
import { startRun } from '../../src/transaction/start-run.ts';
import { idOf, insertMemo, isClass, memoByName, runId, stamps, touchMemo } from './mysql-fixture.ts';
import { backend, PostgresFixture } from './postgres-fixture.ts';

const beginAlone = query('begin-alone', {}, 'begin');
const prepared = query('prepared', { text: 'text' }, 'select statement as text from pg_prepared_statements order by 1');
const inForce = query(
  'in-force',
  { zone: 'text', statement: 'text', lock: 'text', idle: 'text', isolation: 'text', name: 'text', float: 'float' },
  `select current_setting('timezone') as zone, 0.1::float8 + 0.2::float8 as float, current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle,
    current_setting('transaction_isolation') as isolation, current_setting('application_name') as name`,
);

/** A run with one claimed task, and its completion by five records. */
async function fiveRecords(store: Store) {
  await startRun(store, { workflow_type: 'w', queue: 'q' });
  const task = await claimTask(store, { queue: 'q', lease_owner: 'o', task_type: 'workflow', lease_seconds: 60 });
  const record = {
    type: 'record_local_activity',
    activity_type: '😀步',
    outcome: 'completed',
    result: '{"ok":true}',
    attempts: [{ attempt_number: 1, outcome: 'completed' }],
  };
  const commands = Array.from({ length: 5 }, () => record);
  const completion = { task_id: task?.task_id, lease_owner: 'o', workflow_task_attempt: 1, commands };
  const settings = settingsSchema.parse({});
  const ready = prepareCompletion(parseCompletion(JSON.stringify(completion)), settings.limits, Instant.now());
  return () => applyCompletion(store, ready, Date.now(), settings);
}

describe('PostgreSQL', () => {
  const postgres = PostgresFixture.use();

  it('finds nothing wrong with a server in UTF-8, and names another encoding', async () => {
    assert.deepEqual(await postgres.store.problems(), []);
    assert.deepEqual(await postgres.store.schemaStatus(), { version: 1, latest: 1, upToDate: true });
    const name = `${new URL(postgres.url).pathname.slice(1)}_latin`;
    await postgres.ask(`create database ${name} template template0 encoding 'LATIN1' locale 'C'`);
    try {
      const latin = postgres.open(postgres.url.replace(/\/[^/]*$/, `/${name}`));
      assert.deepEqual(await latin.problems(), ["the database's encoding is LATIN1, not UTF8"]);
    } finally {
      await postgres.ask(`drop database ${name} with (force)`);
    }
  });

  it('names a database that loses commits, and settings of connect that did not arrive', async () => {
    const database = new URL(postgres.url).pathname.slice(1);
    await postgres.ask(`alter database ${database} set synchronous_commit to off`);
    await postgres.ask(`alter database ${database} set timezone to 'Asia/Kolkata'`);
    const lossy = 'synchronous_commit is off: a crash of the server loses committed completions';
    assert.deepEqual(await postgres.open().problems(), [lossy]);
    assert.deepEqual(await postgres.open(undefined, { namedStatements: false }).problems(), [lossy]);
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    try {
      const [zone, ...others] = await serverProblems(new Pipeline(client), false);
      assert.match(zone ?? '', /^the session is in Asia\/Kolkata, not UTC/);
      assert.deepEqual(others, [lossy]);
    } finally {
      await client.end();
    }
  });

  it('hands no client on that is inside a transaction', async () => {
    const store = postgres.open(undefined, {}, 1);
    const [first] = await store.read(backend, []);
    await store.read(beginAlone, []);
    const [second] = await store.read(backend, []);
    assert.notEqual(second?.pid, first?.pid);
  });

  it('is opened by both schemes, and refuses a URL with parameters it does not know', async () => {
    for (const url of [postgres.url, postgres.url.replace(/^postgres:/, 'postgresql:')]) {
      const { database } = settingsSchema.parse({ database: { url } });
      const store = await openStore({ database, connections: 1 });
      assert.equal((await store.schemaStatus()).upToDate, true);
      await store.close();
    }
    assert.throws(() => postgres.open(`${postgres.url}?statement_timeout=0`), TypeError);
  });

  it('takes two round trips for a transaction that reads first and writes many rows', async () => {
    const { store, wire } = await postgres.openWatched();
    await store.transaction(async tx => insertMemo(tx, 1));
    wire.turns = 0;
    await store.transaction(async tx => {
      await Promise.all([tx.read(memoByName, ['memo-2']), tx.read(backend, []), tx.read(memoByName, ['memo-1'])]);
      for (let id = 2; id < 30; id += 1) insertMemo(tx, id);
      tx.write(touchMemo, ['y', idOf(1)]);
    });
    assert.equal(wire.turns, 2);
    assert.equal((await postgres.storedMemos()).length, 29);
  });

  for (const namedStatements of [true, false])
    it(`applies a completion of five records in two round trips, statements ${namedStatements ? '' : 'not '}named`, async () => {
      const { store, wire } = await postgres.openWatched({ namedStatements });
      const apply = await fiveRecords(store);
      wire.turns = 0;
      const { outcome, stats } = await apply();
      assert.equal(wire.turns, 2);
      assert.ok(stats.statements <= 12, String(stats.statements));
      assert.equal(outcome.event_count, 15);
      assert.equal((await apply()).outcome.reason, 'already_completed');
      assert.deepEqual((await verify(store)).problems, []);
    });

  it('keeps statements prepared, and not one more for the many row counts of an INSERT', async () => {
    const store = postgres.open(undefined, {}, 1);
    let id = 0;
    const insert = (count: number) =>
      store.transaction(async tx => {
        const rows = Array.from({ length: count }, () => {
          id += 1;
          return { id: idOf(id), workflow_run_id: runId, name: `n-${id}`, value: 'x', ...stamps };
        });
        tx.insert(workflowMemos, rows);
        tx.write(touchMemo, ['y', idOf(1)]);
      });
    await insert(1);
    const before = await store.read(prepared, []);
    for (let count = 1; count <= 100; count += 1) await insert(count);
    assert.deepEqual(await store.read(prepared, []), before);
    assert.ok(before.some(({ text }) => text.startsWith('update workflow_memos')));
    assert.equal(before.filter(({ text }) => text.startsWith('insert')).length, 1);
  });

  it('keeps nothing prepared and every transaction its own settings when statements are not named', async () => {
    const pooled = postgres.open(undefined, { namedStatements: false, statementTimeoutMs: 7_000 }, 1);
    await postgres.ask(
      `do $$ begin
        execute format('alter database %I set timezone to ''Asia/Kolkata''', current_database());
        execute format('alter database %I set extra_float_digits to 0', current_database());
      end $$`,
    );
    await pooled.transaction(async tx => {
      insertMemo(tx, 1);
      tx.write(touchMemo, ['y', idOf(1)]);
    });
    assert.deepEqual(await pooled.read(prepared, []), []);
    const expected = { statement: '7s', lock: '1500ms', idle: '7s', zone: 'UTC', isolation: 'read committed' };
    assert.deepEqual(await pooled.read(inForce, []), [{ ...expected, name: 'completiond', float: 0.1 + 0.2 }]);
  });

  it('sets every session up at connect, whatever the database says', async () => {
    await postgres.ask(
      `do $$ begin
        execute format('alter database %I set timezone to ''Asia/Kolkata''', current_database());
        execute format('alter database %I set datestyle to ''German''', current_database());
        execute format('alter database %I set extra_float_digits to 0', current_database());
        execute format('alter database %I set default_transaction_isolation to ''serializable''', current_database());
      end $$`,
    );
    const store = postgres.open();
    const [row] = await store.transaction(tx => tx.read(inForce, []));
    const expected = { statement: '15s', lock: '1500ms', idle: '15s', zone: 'UTC', isolation: 'read committed' };
    assert.deepEqual(row, { ...expected, name: 'completiond', float: 0.1 + 0.2 });
  });

  it('keeps no more connections than it may have', async () => {
    const small = postgres.open(undefined, {}, 2);
    const pids = await Promise.all(
      Array.from({ length: 12 }, () => small.transaction(async tx => (await tx.read(backend, []))[0]?.pid)),
    );
    assert.ok(new Set(pids).size <= 2);
  });

  it('lets claims pass over what others have locked', async () => {
    await startRun(postgres.store, { workflow_type: 'w', queue: 'q' });
    await startRun(postgres.store, { workflow_type: 'w', queue: 'q' });
    const request = { queue: 'q', lease_owner: 'o', task_type: 'workflow', lease_seconds: 60 } as const;
    const claimed = await Promise.all([1, 2, 3].map(() => claimTask(postgres.store, request)));
    assert.equal(new Set(claimed.flatMap(task => task?.task_id ?? [])).size, 2);
  });

  it('refuses a sequence that is not what the lock showed, and stores nothing', async () => {
    const { run_id: run } = await startRun(postgres.store, { workflow_type: 'w', queue: 'q' });
    for (const [id, last] of [
      [run, 500n],
      [idOf(9), 1n],
    ] as const) {
      const failing = postgres.store.transaction(async tx => {
        tx.allocateSequences(id, last, 3);
        insertMemo(tx, 1);
      });
      await assert.rejects(failing, isClass({ class: 'defect' }, 'sequence_mismatch'));
    }
    assert.deepEqual(await postgres.storedMemos(), []);
  });
});
