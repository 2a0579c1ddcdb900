import assert from 'node:assert/strict';
import pg from 'pg';
import { Instant } from '../../src/store/instant.ts';
import { query, write } from '../../src/store/statement.ts';
import { workflowHistoryEvents, workflowMemos, workflowSearchAttributes } from '../../src/store/tables.ts';
import { startRun } from '../../src/transaction/start-run.ts';
import { idOf, insertMemo, memoByName, now, runId, stamps } from './mysql-fixture.ts';
import { PostgresFixture } from './postgres-fixture.ts';

const setSequence = write('set-sequence', 'update workflow_runs set last_history_sequence = ? where id = ?');
const sequence = query(
  'sequence',
  { last: 'bigint' },
  'select last_history_sequence as last from workflow_runs where id = ?',
);
const attributes = query(
  'attributes',
  {
    name: 'text',
    value_int: 'bigint?',
    value_float: 'float?',
    value_bool: 'bool?',
    value_datetime: 'time?',
    value_keyword_list: 'json?',
  },
  `select name, value_int, value_float, value_bool, value_datetime, value_keyword_list
    from workflow_search_attributes where workflow_run_id = ? order by id`,
);
const times = query('times', { created_at: 'time' }, 'select created_at from workflow_memos where id = ?');
const payload = query(
  'payload',
  { payload: 'json', bytes: 'int' },
  `select payload, octet_length(payload ->> 'a') as bytes from workflow_history_events where id = ?`,
);

describe('values on PostgreSQL', () => {
  const postgres = PostgresFixture.use();

  it('keeps 2^53 + 1 and 2^63 - 1 exact, and counts on from them', async () => {
    const { run_id: run } = await startRun(postgres.store, { workflow_type: 'w', queue: 'q' });
    for (const last of [9_007_199_254_740_990n, 9_223_372_036_854_775_801n])
      await postgres.store.transaction(async tx => {
        tx.write(setSequence, [last, run]);
        tx.allocateSequences(run, last, 6);
        assert.deepEqual(await tx.read(sequence, [run]), [{ last: last + 6n }]);
      });
    assert.deepEqual(await postgres.store.read(sequence, [run]), [{ last: 2n ** 63n - 1n }]);
  });

  it('leaves the type parsers of other users of the driver alone', () => {
    assert.equal(pg.types.getTypeParser(pg.types.builtins.INT8)('1'), '1');
  });

  it('tells names apart byte for byte and takes 255 emoji', async () => {
    const names = ['step-1', 'Step-1', 'step-1 ', '😀'.repeat(255), '\'\\"; --', 'ß', 'ss'];
    await postgres.store.transaction(async tx => {
      for (const [index, name] of names.entries()) insertMemo(tx, index, name, name);
    });
    for (const [index, name] of names.entries())
      assert.deepEqual(await postgres.store.read(memoByName, [name]), [{ id: idOf(index), value: name }]);
  });

  it('keeps apart the rows of one INSERT, whatever is in them', async () => {
    const values = [
      '',
      ' ',
      'null',
      'NULL',
      '{}',
      '{a,b}',
      'a,b',
      '"',
      '\\',
      '\\"',
      '\\\\',
      "'",
      '\n\t\r',
      '\\n',
      '😀',
      '$1',
      '\u2028',
    ];
    await postgres.store.transaction(async tx => {
      const rows = values.map((value, index) => ({
        id: idOf(index),
        workflow_run_id: runId,
        name: `n${index}`,
        value,
      }));
      tx.insert(
        workflowMemos,
        rows.map(row => ({ ...row, ...stamps })),
      );
    });
    const stored = await postgres.storedMemos();
    assert.deepEqual(
      stored.map(([, value]) => value),
      values,
    );
  });

  it('stores 2 MiB of quotation marks as text and inside JSON', async () => {
    const text = '"'.repeat(2_097_152);
    await postgres.store.transaction(async tx => {
      insertMemo(tx, 1, text);
      const event = { id: idOf(1), workflow_run_id: runId, sequence: 1n, event_type: 'E', recorded_at: now };
      tx.insert(workflowHistoryEvents, [{ ...event, payload: JSON.stringify({ a: text }) }]);
    });
    assert.equal((await postgres.store.read(memoByName, ['memo-1']))[0]?.value, text);
    const [event] = await postgres.store.read(payload, [idOf(1)]);
    assert.equal(event?.bytes, text.length);
    assert.deepEqual(JSON.parse(event?.payload ?? ''), { a: text });
  });

  it('converts integers, doubles, booleans and times without loss', async () => {
    const rows = [
      {
        name: 'a',
        value_int: 2n ** 63n - 1n,
        value_float: 0.1 + 0.2,
        value_bool: true,
        value_datetime: now,
        value_keyword_list: '["x"]',
      },
      {
        name: 'b',
        value_int: -(2n ** 63n),
        value_float: -1.7976931348623157e308,
        value_bool: false,
        value_datetime: null,
        value_keyword_list: null,
      },
      {
        name: 'c',
        value_int: null,
        value_float: 5e-324,
        value_bool: null,
        value_datetime: Instant.parse('1969-12-31T23:59:59.999999Z'),
        value_keyword_list: '[]',
      },
    ];
    await postgres.store.transaction(async tx => {
      const full = rows.map((row, index) => ({
        id: idOf(index),
        workflow_run_id: runId,
        type: 't',
        ...row,
        ...stamps,
      }));
      tx.insert(workflowSearchAttributes, full);
    });
    const read = await postgres.store.read(attributes, [runId]);
    assert.deepEqual(JSON.parse(JSON.stringify(read, withBigints)), JSON.parse(JSON.stringify(rows, withBigints)));
  });

  it('keeps times to the microsecond in any time zone of the process', async () => {
    const zone = process.env.TZ;
    process.env.TZ = 'Asia/Kolkata';
    try {
      await postgres.store.transaction(async tx => insertMemo(tx, 1));
      const [row] = await postgres.store.read(times, [idOf(1)]);
      assert.equal(String(row?.created_at), '2026-12-01T10:11:01.123456Z');
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
    const [stored] = await postgres.ask(`select extract(epoch from created_at)::text as epoch from workflow_memos`);
    assert.equal(stored?.epoch, '1796119861.123456');
  });
});

function withBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
