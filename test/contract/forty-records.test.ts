import assert from 'node:assert/strict';
import { commandList, Drive, record, signalWait } from '../support/drive.ts';
import { readAll, readEvents } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

for (const kind of storeKinds) {
  describe(`a run of records on ${kind}`, () => {
    let test: TestStore;
    let drive: Drive;
    beforeEach(async () => {
      test = await TestStore.open(kind);
      drive = new Drive(test);
    });
    afterEach(async () => {
      await drive.assertClean();
      await test.close();
    });

    it('of forty with a side effect is 124 events, and costs two flushes of records', async () => {
      const { run_id, task } = await drive.fresh();
      test.clear();
      const outcome = await drive.complete(task, commandList('forty-records-and-a-side-effect'));
      assert.deepEqual(
        [
          outcome.recorded,
          outcome.run_status,
          outcome.first_history_sequence,
          outcome.last_history_sequence,
          outcome.event_count,
        ],
        [true, 'waiting', '3', '124', 122],
      );
      const { events, executions, attempts, waits, run } = await readAll(test.store, run_id);
      assert.deepEqual(
        events.map(({ sequence }) => Number(sequence)),
        Array.from({ length: 124 }, (_, index) => index + 1),
      );
      assert.deepEqual([events[107]?.type, events[107]?.payload.sequence], ['SideEffectRecorded', 36]);
      assert.deepEqual([events[123]?.type, events[123]?.payload.sequence], ['SignalWaitOpened', 42]);
      assert.deepEqual(
        executions.map(({ sequence }) => Number(sequence)),
        [...Array(35).keys()].map(n => n + 1).concat([37, 38, 39, 40, 41]),
      );
      assert.deepEqual(
        new Set(attempts.map(attempt => attempt.worker_attempt_id)),
        new Set([...Array(40).keys()].map(n => `w-${n}`)),
      );
      assert.deepEqual([waits.length, waits[0]?.status, run?.last_step_sequence], [1, 'open', 42n]);
      assert.deepEqual(
        [
          test.count('insert-activity_executions'),
          test.count('insert-activity_attempts'),
          test.count('insert-workflow_history_events'),
          test.count('allocate-sequences'),
        ],
        [2, 2, 3 + 2, 4],
      );
      const historyRows = test.statements
        .filter(({ name }) => name === 'insert-workflow_history_events')
        .map(({ rows }) => rows);
      assert.deepEqual(historyRows, [100, 5, 1, 15, 1]);
    });

    it('of five costs at most twelve statements, begin and commit counted', async () => {
      const { task } = await drive.fresh();
      test.clear();
      await drive.complete(task, commandList('five-records').slice(0, 5));
      assert.ok(test.statements.length <= 12, JSON.stringify(test.statements));
    });

    for (const count of [1, 100, 101, 250, 1_000])
      it(`of ${count} is contiguous, in INSERTs of at most 100 rows`, async () => {
        const { run_id, task } = await drive.fresh();
        test.clear();
        await drive.complete(
          task,
          Array.from({ length: count }, (_, index) => record(`r${index}`)),
        );
        assert.ok(test.statements.every(({ rows }) => rows <= 100));
        assert.equal(test.count('allocate-sequences'), 1);
        const events = await readEvents(test.store, run_id);
        assert.deepEqual(
          events.map(({ sequence }) => Number(sequence)),
          Array.from({ length: 2 + 3 * count }, (_, n) => n + 1),
        );
      });

    it('splits INSERTs by bytes, and writes a row over the bound alone', async () => {
      const { run_id, task } = await drive.fresh();
      test.clear();
      const big = 'x'.repeat(1_572_864);
      const middling = Array.from({ length: 100 }, (_, index) => record(`m${index}`, { result: 'y'.repeat(102_400) }));
      await drive.complete(task, [record('a'), record('big', { result: big }), record('b'), ...middling]);
      const executions = test.statements
        .filter(({ name }) => name === 'insert-activity_executions')
        .map(({ rows }) => rows);
      assert.deepEqual(executions.slice(0, 3), [1, 1, 11]);
      assert.ok(
        executions.slice(3).every(rows => rows <= 10),
        executions.join(),
      );
      const { executions: stored } = await readAll(test.store, run_id);
      assert.equal(stored[1]?.result, big);
    });

    it('writes nothing at all for an empty flush', async () => {
      const { task } = await drive.fresh();
      test.clear();
      await drive.complete(task, [signalWait]);
      assert.equal(test.count('insert-activity_executions'), 0);
      assert.equal(test.count('allocate-sequences'), 1);
    });
  });
}
