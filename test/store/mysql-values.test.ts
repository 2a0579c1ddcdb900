import assert from 'node:assert/strict';
import { Instant } from '../../src/store/instant.ts';
import { query } from '../../src/store/statement.ts';
import { lockRun } from '../../src/store/statements/runs.ts';
import { workflowFailures, workflowSearchAttributes, workflowTasks } from '../../src/store/tables.ts';
import { startRun } from '../../src/transaction/start-run.ts';
import { idOf, insertMemo, isClass, MysqlFixture, memoByName, now, runId, stamps } from './mysql-fixture.ts';

const attributes = query(
  'attributes',
  { value_int: 'bigint?', value_float: 'float?', value_bool: 'bool?', value_datetime: 'time?' },
  'select value_int, value_float, value_bool, value_datetime from workflow_search_attributes where workflow_run_id = ?',
);

describe('values on MariaDB and MySQL', () => {
  const mysql = MysqlFixture.use();

  it('keeps 2^53 + 1 and 2^63 - 1 exact, and counts on from them', async () => {
    const { run_id: runId } = await startRun(mysql.store, { workflow_type: 'w', queue: 'q' });
    for (const [start, count] of [
      [2n ** 53n - 2n, 3],
      [2n ** 63n - 3n, 2],
    ] as const) {
      await mysql.ask(`update workflow_runs set last_history_sequence = ${start} where id = '${runId}'`);
      await mysql.store.transaction(async tx => {
        const [locked] = await tx.read(lockRun, [runId]);
        assert.equal(locked?.last_history_sequence, start);
        tx.allocateSequences(runId, start, count);
      });
      const [after] = await mysql.store.transaction(tx => tx.read(lockRun, [runId]));
      assert.equal(after?.last_history_sequence, start + BigInt(count));
    }
  });

  it('refuses a sequence that is not what the lock showed, and stores nothing', async () => {
    const { run_id: runId } = await startRun(mysql.store, { workflow_type: 'w', queue: 'q' });
    const failing = mysql.store.transaction(async tx => {
      insertMemo(tx, 1);
      tx.allocateSequences(runId, 7n, 1);
    });
    await assert.rejects(failing, isClass({ class: 'defect' }));
    assert.deepEqual(await mysql.storedMemos(), []);
  });

  it('tells names apart byte for byte and takes 255 emoji', async () => {
    const names = ['step-1', 'step-1 ', 'Step-1', 'stép-1', 'ste\u0301p-1', '😀'.repeat(255), '😀步'];
    await mysql.store.transaction(async tx => {
      for (const [index, name] of names.entries()) insertMemo(tx, index, name, name);
    });
    for (const [index, name] of names.entries())
      assert.deepEqual(await mysql.store.read(memoByName, [name]), [{ id: idOf(index), value: name }]);
    const tooLong = mysql.store.transaction(async tx => insertMemo(tx, 99, 'x', 'a'.repeat(256)));
    await assert.rejects(tooLong, isClass({ class: 'defect' }, '1406'));
  });

  it('brings any text back as it was, whatever it quotes or escapes', async () => {
    const texts = [
      `it's "quoted" \\ and \\' and \\\\`,
      'a\u001ab\u0000c\bd\te\nf\rg%_`',
      `'); drop table workflow_memos; -- ?? ? :x`,
      '\ud83d\ude00 \u2028 \ufeff é \uffff',
      '',
      '\\',
      String.fromCharCode(...Array.from({ length: 0x500 }, (_, code) => code)),
    ];
    await mysql.store.transaction(async tx => {
      for (const [index, text] of texts.entries()) insertMemo(tx, index, text);
    });
    assert.deepEqual(
      (await mysql.storedMemos()).map(([, value]) => value),
      texts,
    );
  });

  it('stores 2 MiB of quotation marks as text and inside JSON', async () => {
    const quotes = '"'.repeat(2 * 1_048_576);
    const json = JSON.stringify({ result: quotes, singles: `'\\`.repeat(100_000) });
    await mysql.store.transaction(async tx => {
      for (let id = 1; id <= 6; id += 1) insertMemo(tx, id, quotes);
      tx.insert(workflowTasks, [
        {
          id: idOf(1),
          workflow_run_id: runId,
          namespace: 'n',
          task_type: 'workflow',
          status: 'ready',
          payload: json,
          available_at: now,
          attempt_count: 0,
          ...stamps,
        },
      ]);
    });
    const payload = query('payload', { payload: 'json' }, 'select payload from workflow_tasks where id = ?');
    assert.ok((await mysql.store.read(payload, [idOf(1)]))[0]?.payload === json);
    assert.ok((await mysql.storedMemos()).every(([, value]) => value === quotes));
  });

  it('keeps JSON text byte for byte, at any depth', async () => {
    const json = `{"b":1,"a":[${'['.repeat(60)}${']'.repeat(60)}],"n":9007199254740993}`;
    await mysql.store.transaction(async tx => {
      const row = { id: idOf(1), workflow_run_id: runId, name: 'j', type: 'keyword_list', value_keyword_list: json };
      tx.insert(workflowSearchAttributes, [{ ...row, ...stamps }]);
    });
    const stored = query(
      'json',
      { value_keyword_list: 'json' },
      'select value_keyword_list from workflow_search_attributes',
    );
    assert.deepEqual(await mysql.store.read(stored, []), [{ value_keyword_list: json }]);
  });

  it('refuses a row that no packet can take, and goes on', async () => {
    const huge = `'`.repeat(9 * 1_048_576);
    await assert.rejects(
      mysql.store.transaction(async tx => insertMemo(tx, 1, huge)),
      isClass({ class: 'defect' }, 'packet_too_large'),
    );
    await mysql.store.transaction(async tx => insertMemo(tx, 2));
    assert.deepEqual(await mysql.storedMemos(), [['memo-2', 'x']]);
  });

  it('converts integers, doubles, booleans and times without loss, in any time zone of the process', async () => {
    const zone = process.env.TZ;
    process.env.TZ = 'Asia/Kolkata';
    try {
      const doubles = [99_377.09558012601, 0.1, -5e-324, 1.7976931348623157e308, 1e21, 123_456_789.123_456_78, -0.5];
      const times = ['2026-12-01T10:11:01.123456Z', '2026-03-29T01:30:00.000001Z', '1999-12-31T23:59:59.999999Z'];
      await mysql.store.transaction(async tx => {
        for (const [index, value] of doubles.entries())
          tx.insert(workflowSearchAttributes, [
            {
              id: idOf(index),
              workflow_run_id: idOf(index),
              name: 'a',
              type: 'float',
              value_int: 2n ** 63n - 1n,
              value_float: value,
              value_bool: index % 2 === 0,
              value_datetime: Instant.parse(times[index % 3] ?? ''),
              ...stamps,
            },
          ]);
      });
      for (const [index, value] of doubles.entries()) {
        const [row] = await mysql.store.read(attributes, [idOf(index)]);
        assert.equal(row?.value_float, value);
        assert.equal(row?.value_int, 2n ** 63n - 1n);
        assert.equal(row?.value_bool, index % 2 === 0);
        assert.equal(row?.value_datetime?.toString(), times[index % 3]);
      }
      const [stored] = await mysql.ask(
        'select cast(value_datetime as char) as t from workflow_search_attributes limit 1',
      );
      assert.equal(stored?.t, '2026-12-01 10:11:01.123456');
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it('keeps no prepared statement for the many row counts of an INSERT', async () => {
    const prepared = async () => Number((await mysql.ask(`show global status like 'Prepared_stmt_count'`))[0]?.Value);
    const before = await prepared();
    let id = 0;
    for (let rows = 1; rows <= 100; rows += 1)
      await mysql.store.transaction(async tx => {
        const row = () => ({
          id: idOf(id++),
          workflow_run_id: runId,
          source_kind: 'x',
          source_id: 'x',
          propagation_kind: 'x',
          failure_category: 'x',
          non_retryable: false,
          handled: false,
          message: 'x',
          created_at: now,
        });
        tx.insert(workflowFailures, Array.from({ length: rows }, row));
      });
    assert.equal(await prepared(), before);
    const [count] = await mysql.ask('select count(*) as n from workflow_failures');
    assert.equal(Number(count?.n), 5_050);
  });
});
