import assert from 'node:assert/strict';
import { sendSignal } from '../../src/transaction/send-signal.ts';
import { sendUpdate } from '../../src/transaction/send-update.ts';
import { startRun } from '../../src/transaction/start-run.ts';
import { Drive, record, signalWait } from '../support/drive.ts';
import { ask, readEvents } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

/** Runs work while the clock stands still, as it does for everything that happens within a millisecond. */
async function withinOneMillisecond(work: () => Promise<void>): Promise<void> {
  const real = Date.now;
  const frozen = real();
  Date.now = () => frozen;
  try {
    await work();
  } finally {
    Date.now = real;
  }
}

const eight = ['0', '1', '2', '3', '4', '5', '6', '7'];

for (const kind of storeKinds) {
  describe(`what is easily lost or mixed up on ${kind}`, () => {
    let test: TestStore;
    let drive: Drive;
    before(async () => {
      test = await TestStore.open(kind, { limits: { completionRows: 60 } });
      drive = new Drive(test);
    });
    after(() => test.close());

    it('signals of one millisecond reach their waits in the order they were received', async () => {
      const { run_id, task } = await drive.fresh();
      await withinOneMillisecond(async () => {
        for (const n of eight) await sendSignal(test.store, test.settings, run_id, 'go', { arguments: n });
      });
      await drive.complete(task, Array(8).fill(signalWait));
      const applied = (await readEvents(test.store, run_id)).filter(({ type }) => type === 'SignalApplied');
      assert.deepEqual(
        applied.map(({ payload }) => payload.value),
        eight,
      );
    });

    it('updates of one millisecond are rejected at the end of their run in the order they were accepted', async () => {
      const { run_id, task } = await drive.fresh();
      await withinOneMillisecond(async () => {
        for (const n of eight) await sendUpdate(test.store, test.settings, run_id, n);
      });
      await drive.complete(task, [{ type: 'complete_workflow' }]);
      const ends = (await readEvents(test.store, run_id)).filter(({ type }) => type === 'UpdateCompleted');
      assert.deepEqual(
        ends.map(({ payload }) => payload.update_name),
        eight,
      );
    });

    it('tasks of one millisecond are claimed in the order they became ready', async () => {
      const queue = `order-${kind}`;
      const started: string[] = [];
      await withinOneMillisecond(async () => {
        for (const _ of eight) started.push((await startRun(test.store, { workflow_type: 't', queue })).run_id);
      });
      const claimed: string[] = [];
      for (const _ of eight) claimed.push((await drive.claimed(queue)).run_id);
      assert.deepEqual(claimed, started);
    });

    it("the row of an activity names its result's codec, not that of its arguments", async () => {
      const { run_id, task } = await drive.fresh();
      await drive.complete(task, [record('a', { arguments: { codec: 'avro', blob: 'x' }, result: '1' })]);
      const rows = await test.store.read(
        ask({ payload_codec: 'text' }, 'select payload_codec from activity_executions where workflow_run_id = ?'),
        [run_id],
      );
      assert.deepEqual(rows, [{ payload_codec: 'json' }]);
      assert.equal((await readEvents(test.store, run_id)).at(-1)?.payload.payload_codec, 'json');
    });

    for (const command of [
      JSON.parse('{"type":"upsert_memo","entries":{"__proto__":1,"k":1}}') as object,
      JSON.parse('{"type":"upsert_memo","entries":{"k":{"__proto__":1}}}') as object,
      JSON.parse('{"type":"upsert_search_attributes","attributes":{"__proto__":"x","k":"y"}}') as object,
      { type: 'upsert_memo', entries: { ' a': 1, a: 2 } },
    ])
      it(`nothing that was sent is dropped: ${JSON.stringify(command)}`, async () => {
        const { run_id, task } = await drive.fresh();
        const verdict = await drive.send(task, [command]);
        if (verdict.kind === 'refused') return;
        const { payload } = (await readEvents(test.store, run_id)).at(-1) ?? assert.fail();
        const { type: _, ...sent } = command as { type: string };
        for (const [key, value] of Object.entries(sent)) assert.deepEqual(payload[key], value);
      });

    it('waits are charged to the budget before the transaction, as what depends on no database', async () => {
      const { task } = await drive.fresh();
      const child = { type: 'start_child_workflow', workflow_type: 'c' };
      test.clear();
      await drive.refused(
        task,
        [...Array<object>(6).fill(child), { type: 'start_timer', delay_seconds: 9 }],
        'completion_budget_exceeded',
      );
      assert.deepEqual(
        test.statements.map(({ name }) => name),
        [],
      );
    });

    it('a child knows the step of its parent exactly, above 2^53 too', async () => {
      const { run_id, task, queue } = await drive.fresh();
      const set = { name: 'test-set-step', sql: () => 'update workflow_runs set last_step_sequence = ? where id = ?' };
      await test.store.transaction(async tx => tx.write(set, [2n ** 53n, run_id]));
      await drive.complete(task, [{ type: 'start_child_workflow', workflow_type: 'c' }]);
      const child = await drive.claimed(queue);
      const [started] = await test.store.read(
        ask({ payload: 'json' }, 'select payload from workflow_history_events where workflow_run_id = ?'),
        [child.run_id],
      );
      assert.match(started?.payload ?? '', /"parent_sequence": ?9007199254740993\b/);
    });
  });
}
