import assert from 'node:assert/strict';
import { Drive, type Fresh, record, signalWait } from '../support/drive.ts';
import { ask, readAll, rowCounts } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

const largest = 2n ** 63n - 1n;
const sideEffect = { type: 'record_side_effect', result: 'x' };
const setSequences = {
  name: 'test-set-sequences',
  sql: () => 'update workflow_runs set last_history_sequence = ?, last_step_sequence = ? where id = ?',
};
/** As text: a number in JSON is rounded above 2^53 when it is parsed. */
const eventsAsText = ask(
  { sequence: 'bigint', payload: 'json' },
  'select sequence, payload from workflow_history_events where workflow_run_id = ? order by sequence',
);

for (const kind of storeKinds) {
  describe(`sequences at their borders on ${kind}`, () => {
    let test: TestStore;
    let drive: Drive;
    before(async () => {
      test = await TestStore.open(kind);
      drive = new Drive(test);
    });
    after(() => test.close());

    async function at(history: bigint, step = 0n): Promise<Fresh> {
      const fresh = await drive.fresh();
      await test.store.transaction(async tx => tx.write(setSequences, [history, step, fresh.run_id]));
      return fresh;
    }

    it('count on exactly over 2^53, of the history and of the steps', async () => {
      const { run_id, task } = await at(2n ** 53n - 2n, 2n ** 53n - 1n);
      const outcome = await drive.complete(task, [record('a'), sideEffect, record('b'), signalWait]);
      assert.deepEqual(
        [outcome.first_history_sequence, outcome.last_history_sequence],
        ['9007199254740991', '9007199254740998'],
      );
      const events = (await test.store.read(eventsAsText, [run_id])).slice(2);
      assert.deepEqual(
        events.map(({ sequence }) => sequence),
        Array.from({ length: 8 }, (_, index) => 2n ** 53n - 1n + BigInt(index)),
      );
      assert.deepEqual(
        events.map(({ payload }) => /"sequence": ?(\d+)/.exec(payload)?.[1]),
        ['992', '992', '992', '993', '994', '994', '994', '995'].map(digits => `9007199254740${digits}`),
      );
      const { executions, waits, run } = await readAll(test.store, run_id);
      assert.deepEqual(
        [...executions, ...waits].map(({ sequence }) => sequence),
        [2n ** 53n, 2n ** 53n + 2n, 2n ** 53n + 3n],
      );
      assert.deepEqual([run?.last_history_sequence, run?.last_step_sequence], [2n ** 53n + 6n, 2n ** 53n + 3n]);
    });

    for (const room of [6n, 5n, 3n, 2n, 1n, 0n])
      it(`with room for ${room} events take two records whole or not at all, and then what fits`, async () => {
        const { run_id, task } = await at(largest - room);
        const before = { counts: await rowCounts(test.store), run: await readAll(test.store, run_id) };
        if (room === 6n) {
          const outcome = await drive.complete(task, [record('a'), record('b')]);
          assert.equal(outcome.last_history_sequence, '9223372036854775807');
          assert.equal((await readAll(test.store, run_id)).events.at(-1)?.sequence, largest);
          return;
        }
        const message = await drive.refused(task, [record('a'), record('b')], 'history_sequence_exhausted');
        assert.ok(message.includes(run_id), message);
        assert.deepEqual({ counts: await rowCounts(test.store), run: await readAll(test.store, run_id) }, before);
        const tooMany = Array<object>(Number(room) + 1).fill(sideEffect);
        await drive.refused(task, tooMany, 'history_sequence_exhausted');
        assert.deepEqual({ counts: await rowCounts(test.store), run: await readAll(test.store, run_id) }, before);
        if (room === 0n) return;
        const outcome = await drive.complete(task, tooMany.slice(1));
        assert.deepEqual([outcome.last_history_sequence, outcome.event_count], [String(largest), Number(room)]);
      });

    it('refuse a step behind records that still fit, and keep nothing of the records', async () => {
      const { run_id, task } = await at(largest - 3n);
      const before = await rowCounts(test.store);
      await drive.refused(task, [record('a'), sideEffect], 'history_sequence_exhausted');
      assert.deepEqual(await rowCounts(test.store), before);
      await drive.complete(task, [record('a')]);
      assert.equal((await readAll(test.store, run_id)).run?.last_history_sequence, largest);
    });

    it('of a parent and its child are counted apart: an exhausted parent leaves nothing of a child', async () => {
      const { task, queue } = await at(largest - 1n);
      const before = await rowCounts(test.store);
      await drive.refused(task, [{ type: 'start_child_workflow', workflow_type: 'c' }], 'history_sequence_exhausted');
      assert.deepEqual(await rowCounts(test.store), before);
      assert.equal(await drive.claim(queue), undefined);
    });
  });
}
