import assert from 'node:assert/strict';
import { failureVerdict } from '../../src/transaction/failures.ts';
import { handleJob } from '../../src/transaction/handle-job.ts';
import { commandList, Drive, type Fresh, record, signalWait } from '../support/drive.ts';
import { failingAt } from '../support/failing-store.ts';
import { readAll, rowCounts } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

const failed = record('failing', {
  outcome: 'failed',
  result: null,
  message: 'm',
  attempts: [
    { attempt_number: 1, outcome: 'timed_out', backoff_seconds: 1 },
    { attempt_number: 2, outcome: 'failed' },
  ],
});

/** Completions that between them send every kind of statement. */
const completions: Readonly<Record<string, readonly object[]>> = {
  'of records, steps and a wait': [
    record('a'),
    failed,
    { type: 'record_side_effect', result: 'x' },
    record('b'),
    { ...signalWait, timeout_seconds: 60 },
  ],
  'of every kind of pending thing': commandList('order-fulfilment'),
  'that ends its run': [record('a'), signalWait, { type: 'complete_workflow', result: '1' }],
  'that fails its run': [failed, { type: 'fail_workflow', message: 'over' }],
  'that goes on as new': [
    { type: 'upsert_memo', entries: { a: 1 } },
    { type: 'continue_as_new', arguments: '2' },
  ],
};

for (const kind of storeKinds) {
  describe(`a failing database on ${kind}`, () => {
    let test: TestStore;
    let drive: Drive;
    before(async () => {
      test = await TestStore.open(kind);
      drive = new Drive(test);
    });
    after(async () => {
      await drive.assertClean();
      await test.close();
    });

    async function stored({ run_id }: Fresh) {
      return { rows: await rowCounts(test.store), run: await readAll(test.store, run_id) };
    }

    for (const [title, commands] of Object.entries(completions))
      it(`keeps nothing of a completion ${title}, whichever statement fails, and the claim stays good`, async function () {
        this.timeout(60_000);
        const fresh = await drive.fresh();
        const { task_id, lease_owner, workflow_task_attempt } = fresh.task;
        const data = JSON.stringify({ task_id, lease_owner, workflow_task_attempt, commands });
        const job = { name: 'completion', id: 'job', data, enqueuedAtMs: Date.now() };
        const before = await stored(fresh);
        let n = 1;
        for (; ; n += 1) {
          const store = failingAt(test.store, n);
          const verdict = await handleJob(store, test.settings, job).catch(failureVerdict);
          if (verdict.kind === 'completed') break;
          assert.equal(verdict.kind, 'defect', `statement ${n}: ${JSON.stringify(verdict)}`);
          assert.match(verdict.message, /no_such_table|1146|42P01/, `statement ${n}`);
          assert.deepEqual(await stored(fresh), before, `statement ${n}`);
        }
        assert.ok(n > 8, `only ${n - 1} statements could fail`);
        const { events, run } = (await stored(fresh)).run;
        assert.deepEqual(
          events.map(({ sequence }) => sequence),
          events.map((_, index) => BigInt(index + 1)),
        );
        assert.equal(run?.last_history_sequence, BigInt(events.length));
      });
  });
}
