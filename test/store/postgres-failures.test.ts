import assert from 'node:assert/strict';
import { PostgresFailure } from '../../src/store/postgres/failure.ts';
import { query, write } from '../../src/store/statement.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { idOf, insertMemo, isClass, touchMemo } from './mysql-fixture.ts';
import { backend, PostgresFixture } from './postgres-fixture.ts';

const requeue = (requeueClass: 'connection_lost' | 'server_unavailable' | 'deadlock' | 'lock_wait' | 'timeout') =>
  isClass({ class: 'requeue', requeueClass });

describe('failures of PostgreSQL', () => {
  const postgres = PostgresFixture.use();
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);
  before(() => process.on('unhandledRejection', onUnhandled));
  after(() => void process.off('unhandledRejection', onUnhandled));
  afterEach(() => assert.deepEqual(unhandled, []));

  it('rolls back on a duplicate key in the middle of what is on its way, and the client goes on clean', async () => {
    const store = postgres.open(undefined, {}, 1);
    const [before] = await store.read(backend, []);
    const failing = store.transaction(async tx => {
      insertMemo(tx, 1);
      insertMemo(tx, 1);
      insertMemo(tx, 2);
    });
    await assert.rejects(failing, isClass({ class: 'defect' }, '23505'));
    assert.deepEqual(await postgres.storedMemos(), []);
    await store.transaction(async tx => insertMemo(tx, 3));
    assert.deepEqual(await postgres.storedMemos(), [['memo-3', 'x']]);
    assert.deepEqual(await store.read(backend, []), [before]);
  });

  it('rejects a read with the first error before it, and sends nothing after it', async () => {
    const failing = postgres.store.transaction(async tx => {
      insertMemo(tx, 1);
      insertMemo(tx, 1);
      await tx.read(backend, []).catch(() => []);
      insertMemo(tx, 2);
      await assert.rejects(tx.read(backend, []), (error: unknown) => (error as PostgresFailure).code === '23505');
    });
    await assert.rejects(failing, isClass({ class: 'defect' }, '23505'));
    assert.deepEqual(await postgres.storedMemos(), []);
  });

  it('names the statement, the code and the constraint of an error, and no value', async () => {
    const secret = 'a-very-private-value';
    const failing = postgres.store.transaction(async tx => {
      insertMemo(tx, 1, secret, secret);
      insertMemo(tx, 2, secret, secret);
    });
    await assert.rejects(failing, (error: unknown) => {
      assert.ok(error instanceof StoreError && error.cause instanceof PostgresFailure);
      assert.match(error.message, /^PostgreSQL: insert-workflow_memos: SQLSTATE 23505, constraint workflow_memos_/);
      assert.ok(!JSON.stringify([error, error.cause, error.stack, error.cause.stack]).includes(secret));
      return true;
    });
  });

  it('sends no write before BEGIN has been answered: without a transaction each would commit by itself', async () => {
    const { store, wire } = await postgres.openWatched();
    await store.read(backend, []);
    wire.turns = 0;
    await store.transaction(async tx => insertMemo(tx, 1));
    assert.equal(wire.turns, 2);
    wire.cutAt('begin', false);
    await assert.rejects(
      store.transaction(async tx => insertMemo(tx, 2)),
      requeue('connection_lost'),
    );
    assert.deepEqual(await postgres.storedMemos(), [['memo-1', 'x']]);
  });

  it('answers a backend ended before COMMIT as a requeue', async () => {
    const failing = postgres.store.transaction(async tx => {
      const [row] = await tx.read(backend, []);
      insertMemo(tx, 1);
      await postgres.kill(row?.pid);
      await new Promise(resolve => setTimeout(resolve, 100));
    });
    await assert.rejects(failing, requeue('server_unavailable'));
    assert.deepEqual(await postgres.storedMemos(), []);
  });

  it('does not claim to know what became of a COMMIT that was on its way when the backend was ended', async () => {
    await postgres.store.transaction(async tx => insertMemo(tx, 1));
    const patient = postgres.open(undefined, { lockTimeoutMs: 14_000 });
    await postgres.store.transaction(async holder => {
      holder.write(touchMemo, ['held', idOf(1)]);
      await holder.read(backend, []);
      let pid: number | undefined;
      const waiting = patient.transaction(async tx => {
        pid = (await tx.read(backend, []))[0]?.pid;
        tx.write(touchMemo, ['late', idOf(1)]);
        insertMemo(tx, 2);
      });
      const rejected = assert.rejects(waiting, isClass({ class: 'unknown' }, '57P01'));
      await postgres.until(`wait_event_type = 'Lock'`);
      await postgres.kill(pid);
      await rejected;
    });
    assert.deepEqual(await postgres.storedMemos(), [['memo-1', 'held']]);
  });

  for (const isDelivered of [true, false])
    it(`does not claim to know what became of a COMMIT cut off, ${isDelivered ? 'delivered' : 'undelivered'}`, async () => {
      const { store, wire } = await postgres.openWatched();
      const failing = store.transaction(async tx => {
        await tx.read(backend, []);
        insertMemo(tx, 1);
        await tx.read(backend, []);
        wire.cutAt('commit', isDelivered);
      });
      await assert.rejects(failing, isClass({ class: 'unknown' }));
      assert.equal((await postgres.storedMemos()).length, isDelivered ? 1 : 0);
      await store.transaction(async tx => insertMemo(tx, 2));
    });

  it('keeps the class of an earlier error when the connection is cut behind it', async () => {
    const { store, wire } = await postgres.openWatched();
    const failing = store.transaction(async tx => {
      await tx.read(backend, []);
      tx.write(divide, []);
      await tx.read(backend, []).catch(() => wire.cutAt('rollback', false));
    });
    await assert.rejects(failing, isClass({ class: 'defect' }, '22012'));
    await store.transaction(async tx => insertMemo(tx, 2));
  });

  it('gives up waiting for a lock after the time of the settings, and keeps nothing', async () => {
    await postgres.store.transaction(async tx => insertMemo(tx, 1));
    const impatient = postgres.open(undefined, { lockTimeoutMs: 200 });
    await postgres.store.transaction(async holder => {
      holder.write(touchMemo, ['held', idOf(1)]);
      await holder.read(backend, []);
      const waiting = impatient.transaction(async tx => {
        insertMemo(tx, 2);
        tx.write(touchMemo, ['late', idOf(1)]);
      });
      await assert.rejects(waiting, isClass({ class: 'requeue', requeueClass: 'lock_wait' }, '55P03'));
    });
    assert.deepEqual(await postgres.storedMemos(), [['memo-1', 'held']]);
  });

  it('answers a deadlock as one, and writes nothing after it', async () => {
    await postgres.store.transaction(async tx => {
      insertMemo(tx, 1);
      insertMemo(tx, 2);
    });
    const patient = postgres.open(undefined, { lockTimeoutMs: 14_000 });
    let met = 0;
    const crossing = (first: number, second: number) =>
      patient.transaction(async tx => {
        tx.write(touchMemo, [`${first}`, idOf(first)]);
        await tx.read(backend, []);
        met += 1;
        while (met < 2) await new Promise(resolve => setTimeout(resolve, 5));
        tx.write(touchMemo, [`${first}`, idOf(second)]);
        insertMemo(tx, 10 + first);
      });
    const results = await Promise.allSettled([crossing(1, 2), crossing(2, 1)]);
    const lost = results.flatMap((result, index) =>
      result.status === 'rejected' ? [{ index, reason: result.reason }] : [],
    );
    assert.equal(lost.length, 1);
    isClass({ class: 'requeue', requeueClass: 'deadlock' }, '40P01')(lost[0]?.reason);
    const winner = lost[0]?.index === 0 ? 2 : 1;
    const names = (await postgres.storedMemos()).map(([name]) => name);
    assert.deepEqual(names, ['memo-1', 'memo-2', `memo-${10 + winner}`]);
  });

  it('ends a statement and an idle transaction that take longer than the settings allow', async () => {
    const impatient = postgres.open(undefined, { statementTimeoutMs: 200 });
    await assert.rejects(impatient.read(sleep, []), requeue('timeout'));
    const idle = impatient.transaction(async tx => {
      await tx.read(backend, []);
      await new Promise(resolve => setTimeout(resolve, 500));
      insertMemo(tx, 1);
    });
    await assert.rejects(idle, isClass({ class: 'requeue', requeueClass: 'timeout' }, '25P03'));
  });

  it('survives the server closing an idle connection', async () => {
    const store = postgres.open(undefined, {}, 1);
    const [row] = await store.read(backend, []);
    await postgres.kill(row?.pid);
    await new Promise(resolve => setTimeout(resolve, 100));
    assert.equal((await store.read(backend, [])).length, 1);
  });

  it('prepares anew on another connection when the server has forgotten its statements', async () => {
    const store = postgres.open(undefined, {}, 1);
    await store.transaction(async tx => insertMemo(tx, 1));
    const touch = () => store.transaction(async tx => tx.write(touchMemo, ['y', idOf(1)]));
    await touch();
    await store.transaction(async tx => tx.write(deallocate, []));
    await assert.rejects(touch(), requeue('connection_lost'));
    await touch();
  });

  it('answers a server that is not there, and one that does not know the database', async () => {
    const nowhere = postgres.open('postgres://postgres@127.0.0.1:1/x');
    await assert.rejects(nowhere.schemaStatus(), requeue('server_unavailable'));
    await assert.rejects(nowhere.migrate(), requeue('server_unavailable'));
    await assert.rejects(
      nowhere.transaction(async () => undefined),
      requeue('server_unavailable'),
    );
    const missing = postgres.open(postgres.url.replace(/\/[^/]*$/, '/no_such_database'));
    await assert.rejects(missing.problems(), isClass({ class: 'defect' }, '3D000'));
  });
});

const divide = write('divide', 'update workflow_memos set value = (select 1 / 0)::text');
const sleep = query('sleep', { done: 'text' }, 'select pg_sleep(5)::text as done');
const deallocate = write('deallocate', 'deallocate all');
