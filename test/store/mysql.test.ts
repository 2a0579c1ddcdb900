import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { settingsSchema } from '../../config/settings.ts';
import { parseCompletion } from '../../src/completion/completion.ts';
import { Instant } from '../../src/store/instant.ts';
import { MysqlFailure } from '../../src/store/mysql/failure.ts';
import { openStore } from '../../src/store/open-store.ts';
import { query } from '../../src/store/statement.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { applyCompletion } from '../../src/transaction/apply-completion.ts';
import { claimTask } from '../../src/transaction/claim-task.ts';
import { prepareCompletion } from '../../src/transaction/prepare-completion.ts';
import { startRun } from '../../src/transaction/start-run.ts';
import { idOf, insertMemo, isClass, MysqlFixture, memoByName, threadId, touchMemo } from './mysql-fixture.ts';

describe('MariaDB and MySQL', () => {
  const mysql = MysqlFixture.use();

  it('says which server it is and finds nothing wrong with it', async () => {
    assert.ok(['mariadb', 'mysql'].includes(mysql.store.kind));
    assert.deepEqual(await mysql.store.problems(), []);
    assert.deepEqual(await mysql.store.schemaStatus(), { version: 1, latest: 1, upToDate: true });
  });

  it('opens mariadb: URLs and refuses a URL with parameters it does not know', async () => {
    const other = await mysql.open(mysql.url.replace(/^mysql:/, 'mariadb:'));
    assert.equal(other.kind, mysql.store.kind);
    await assert.rejects(mysql.open(`${mysql.url}?multipleStatements=false`), TypeError);
  });

  it('names a table that is not InnoDB in the right collation', async () => {
    await mysql.ask('alter table workflow_memos convert to character set utf8mb4 collate utf8mb4_general_ci');
    const problems = await mysql.store.problems();
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /workflow_memos/);
  });

  it('takes two round trips for a transaction that reads once and writes many rows', async () => {
    const { store, wire } = await mysql.openWatched();
    await store.transaction(async tx => insertMemo(tx, 1));
    wire.turns = 0;
    await store.transaction(async tx => {
      await Promise.all([tx.read(memoByName, ['memo-2']), tx.read(threadId, []), tx.read(memoByName, ['memo-1'])]);
      for (let id = 2; id < 30; id += 1) insertMemo(tx, id);
      tx.write(touchMemo, ['y', idOf(1)]);
    });
    assert.equal(wire.turns, 2);
    assert.equal((await mysql.storedMemos()).length, 29);
  });

  it('applies a completion of five records in two round trips and twelve statements', async () => {
    const { store, wire } = await mysql.openWatched();
    await startRun(store, { workflow_type: 'w', queue: 'q' });
    const claim = { queue: 'q', lease_owner: 'o', task_type: 'workflow', lease_seconds: 60 } as const;
    const task = await claimTask(store, claim);
    const record = {
      type: 'record_local_activity',
      activity_type: 'a',
      outcome: 'completed',
      result: '{"ok":true}',
      attempts: [{ attempt_number: 1, outcome: 'completed' }],
    };
    const completion = parseCompletion(
      JSON.stringify({
        task_id: task?.task_id,
        lease_owner: 'o',
        workflow_task_attempt: 1,
        commands: Array.from({ length: 5 }, () => record),
      }),
    );
    const settings = settingsSchema.parse({});
    const prepared = prepareCompletion(completion, settings.limits, Instant.now());
    wire.turns = 0;
    const { outcome, stats } = await applyCompletion(store, prepared, Date.now(), settings);
    assert.equal(wire.turns, 2);
    assert.ok(stats.statements <= 12, String(stats.statements));
    assert.equal(outcome.event_count, 15);
  });

  it('stops at a statement that fails: the server never runs the COMMIT behind it', async () => {
    const commits = async () => Number((await mysql.ask(`show global status like 'Com_commit'`))[0]?.Value);
    const before = await commits();
    const failing = mysql.store.transaction(async tx => {
      insertMemo(tx, 1);
      insertMemo(tx, 1);
      insertMemo(tx, 2);
    });
    await assert.rejects(failing, isClass({ class: 'defect' }, '1062'));
    assert.equal(await commits(), before);
    assert.deepEqual(await mysql.storedMemos(), []);
    await mysql.store.transaction(async tx => insertMemo(tx, 3));
    assert.deepEqual(await mysql.storedMemos(), [['memo-3', 'x']]);
  });

  it('names the statement and the number of an error, and no value', async () => {
    const secret = 'a-very-private-value';
    const failing = mysql.store.transaction(async tx => {
      insertMemo(tx, 1, secret, secret);
      insertMemo(tx, 2, secret, secret);
    });
    await assert.rejects(failing, (error: unknown) => {
      assert.ok(error instanceof StoreError && error.cause instanceof MysqlFailure);
      assert.match(error.message, /insert-workflow_memos: error 1062, SQLSTATE 23000/);
      assert.ok(!JSON.stringify([error, error.cause, error.stack, error.cause.stack]).includes(secret));
      return true;
    });
  });

  it('sends nothing when the work refuses before its first read', async () => {
    const { store, wire } = await mysql.openWatched();
    await store.read(threadId, []);
    wire.turns = 0;
    const refusal = new Error('no');
    refusal.name = 'Refusal';
    const refusing = store.transaction(async tx => {
      insertMemo(tx, 1);
      throw refusal;
    });
    await assert.rejects(refusing, error => error === refusal);
    assert.equal(wire.turns, 0);
  });

  it('answers a deadlock as one, and writes nothing after it', async () => {
    await mysql.store.transaction(async tx => {
      insertMemo(tx, 1);
      insertMemo(tx, 2);
    });
    let met = 0;
    const bothAreThere = async () => {
      met += 1;
      while (met < 2) await new Promise(resolve => setTimeout(resolve, 5));
    };
    const crossing = (first: number, second: number) =>
      mysql.store.transaction(async tx => {
        tx.write(touchMemo, [`${first}`, idOf(first)]);
        await tx.read(threadId, []);
        await bothAreThere();
        tx.write(touchMemo, [`${first}`, idOf(second)]);
        const reading = tx.read(threadId, []).catch(() => []);
        insertMemo(tx, 10 + first);
        await reading;
        insertMemo(tx, 20 + first);
      });
    const results = await Promise.allSettled([crossing(1, 2), crossing(2, 1)]);
    const lost = results.flatMap((result, index) =>
      result.status === 'rejected' ? [{ index, reason: result.reason }] : [],
    );
    assert.equal(lost.length, 1);
    isClass({ class: 'requeue', requeueClass: 'deadlock' }, '1213')(lost[0]?.reason);
    const winner = lost[0]?.index === 0 ? 2 : 1;
    const names = (await mysql.storedMemos()).map(([name]) => name);
    assert.deepEqual(names, ['memo-1', 'memo-2', `memo-${10 + winner}`, `memo-${20 + winner}`]);
  });

  it('gives up waiting for a lock after the time of the settings, and keeps nothing', async () => {
    await mysql.store.transaction(async tx => insertMemo(tx, 1));
    await mysql.store.transaction(async holder => {
      holder.write(touchMemo, ['held', idOf(1)]);
      await holder.read(threadId, []);
      const began = performance.now();
      const waiting = mysql.store.transaction(async tx => {
        insertMemo(tx, 2);
        tx.write(touchMemo, ['late', idOf(1)]);
      });
      await assert.rejects(waiting, isClass({ class: 'requeue', requeueClass: 'lock_wait' }, '1205'));
      assert.ok(performance.now() - began < 3_000);
    });
    assert.deepEqual(await mysql.storedMemos(), [['memo-1', 'held']]);
  });

  it('ends a statement that takes longer than the settings allow', async () => {
    const impatient = await mysql.open(mysql.url, { statementTimeoutMs: 200 });
    const slow = query(
      'slow',
      { n: 'int' },
      'select count(*) as n from information_schema.collations a, information_schema.collations b, information_schema.collations c',
    );
    await assert.rejects(impatient.read(slow, []), isClass({ class: 'requeue', requeueClass: 'timeout' }));
  });

  it('answers a connection killed before commit as lost, not as unknown', async () => {
    const failing = mysql.store.transaction(async tx => {
      const [row] = await tx.read(threadId, []);
      insertMemo(tx, 1);
      await mysql.ask(`kill ${row?.id}`);
      await new Promise(resolve => setTimeout(resolve, 100));
    });
    await assert.rejects(failing, isClass({ class: 'requeue', requeueClass: 'connection_lost' }));
    assert.deepEqual(await mysql.storedMemos(), []);
  });

  it('answers a connection killed in a statement in front of COMMIT as lost', async () => {
    await mysql.store.transaction(async tx => insertMemo(tx, 1));
    const patient = await mysql.open(mysql.url, { lockTimeoutMs: 20_000 });
    await mysql.store.transaction(async holder => {
      holder.write(touchMemo, ['held', idOf(1)]);
      await holder.read(threadId, []);
      let id: number | undefined;
      const waiting = patient.transaction(async tx => {
        id = (await tx.read(threadId, []))[0]?.id;
        tx.write(touchMemo, ['late', idOf(1)]);
      });
      setTimeout(() => void mysql.ask(`kill ${id}`), 300);
      // MariaDB answers the running statement or just closes: the second leaves open what became of the COMMIT behind it.
      await assert.rejects(
        waiting,
        (error: unknown) => error instanceof StoreError && error.failure.class !== 'defect',
      );
    });
    assert.deepEqual(await mysql.storedMemos(), [['memo-1', 'held']]);
  });

  it('does not claim to know what became of a COMMIT whose answer was lost', async () => {
    const { store: cut, wire } = await mysql.openWatched();
    await cut.read(threadId, []);
    wire.cutAt('\ncommit', true);
    await assert.rejects(
      cut.transaction(async tx => insertMemo(tx, 1)),
      isClass({ class: 'unknown' }),
    );
    // The server has the COMMIT, and may still be at it when the connection is gone.
    for (let looks = 0; looks < 100 && (await mysql.storedMemos()).length === 0; looks += 1) await sleep(50);
    assert.deepEqual(await mysql.storedMemos(), [['memo-1', 'x']]);
    await cut.read(threadId, []);
    wire.cutAt('\ncommit', false);
    await assert.rejects(
      cut.transaction(async tx => insertMemo(tx, 2)),
      isClass({ class: 'unknown' }),
    );
    await cut.transaction(async tx => insertMemo(tx, 3));
    assert.deepEqual(await mysql.storedMemos(), [
      ['memo-1', 'x'],
      ['memo-3', 'x'],
    ]);
  });

  it('answers a cut before COMMIT was sent as a lost connection', async () => {
    const { store: cut, wire } = await mysql.openWatched();
    await cut.read(threadId, []);
    wire.cutAt('connection_id', true);
    const failing = cut.transaction(async tx => {
      await tx.read(threadId, []);
    });
    await assert.rejects(failing, isClass({ class: 'requeue', requeueClass: 'connection_lost' }));
  });

  it('answers a server that is not there', async () => {
    const nowhere = mysql.open('mysql://root@127.0.0.1:1/nothing');
    await assert.rejects(nowhere, isClass({ class: 'requeue', requeueClass: 'server_unavailable' }, 'ECONNREFUSED'));
  });

  it('survives the server closing an idle connection', async () => {
    const [row] = await mysql.store.read(threadId, []);
    await mysql.ask(`kill ${row?.id}`);
    await new Promise(resolve => setTimeout(resolve, 100));
    await mysql.store.transaction(async tx => insertMemo(tx, 1));
    assert.equal((await mysql.storedMemos()).length, 1);
  });

  it('keeps no more connections than it may have', async () => {
    const narrow = await mysql.open(mysql.url, {}, 2);
    const ids = await Promise.all(
      Array.from({ length: 12 }, () => narrow.transaction(async tx => (await tx.read(threadId, []))[0]?.id)),
    );
    assert.equal(new Set(ids).size, 2);
  });

  it('lets claims pass over what others have locked', async () => {
    for (let n = 0; n < 8; n += 1) await startRun(mysql.store, { workflow_type: 'w', queue: 'q' });
    const request = { queue: 'q', lease_owner: 'o', task_type: 'workflow', lease_seconds: 60 } as const;
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimTask(mysql.store, request)));
    const taken = claims.flatMap(claim => claim?.task_id ?? []);
    assert.equal(new Set(taken).size, taken.length);
    assert.ok(taken.length >= 1);
  });

  it('sets every session up before its first statement', async () => {
    const session = query(
      'session',
      { zone: 'text', isolation: 'text', mode: 'text', wait: 'int' },
      `select @@time_zone as zone, @@${mysql.store.kind === 'mysql' ? 'transaction' : 'tx'}_isolation as isolation,
        @@sql_mode as mode, @@innodb_lock_wait_timeout as wait`,
    );
    const rows = await Promise.all(
      Array.from({ length: 4 }, () => mysql.store.transaction(tx => tx.read(session, []))),
    );
    for (const [row] of rows) {
      assert.equal(row?.zone, '+00:00');
      assert.equal(row?.isolation, 'READ-COMMITTED');
      assert.match(row?.mode ?? '', /STRICT_ALL_TABLES/);
      assert.equal(row?.wait, 1);
    }
  });

  it('is opened by scheme', async () => {
    const { database } = settingsSchema.parse({ database: { url: mysql.url } });
    const opened = await openStore({ database, connections: 1 });
    assert.equal(opened.kind, mysql.store.kind);
    await opened.close();
  });
});
