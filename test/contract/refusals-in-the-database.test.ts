import assert from 'node:assert/strict';
import { cancelRun, terminateRun } from '../../src/transaction/end-run.ts';
import { startRun } from '../../src/transaction/start-run.ts';
import { Drive, record, signalWait } from '../support/drive.ts';
import { readAll, readEvents, rowCounts } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

const child = { type: 'start_child_workflow', workflow_type: 'c', parent_close_policy: 'terminate' };
const end = { type: 'complete_workflow' };

for (const kind of storeKinds) {
  describe(`what only the database shows, on ${kind}`, () => {
    let test: TestStore;
    let drive: Drive;
    before(async () => {
      const limits = { completionEvents: 20, completionRows: 60, completionBytes: 65_536 };
      test = await TestStore.open(kind, { limits });
      drive = new Drive(test);
    });
    after(async () => {
      await drive.assertClean();
      await test.close();
    });

    it('refuses a task that nobody holds, and stores nothing', async () => {
      const queue = `unheld-${kind}`;
      const { task_id, run_id, workflow_id } = await startRun(test.store, { workflow_type: 't', queue });
      const claim = { workflow_id, run_id, task_id: String(task_id), workflow_type: 't', lease_owner: 'w1' };
      const unheld = { ...claim, workflow_task_attempt: 1, lease_expires_at: '', history_events: '2' };
      const before = await rowCounts(test.store);
      const message = await drive.refused(unheld, [signalWait], 'task_not_leased');
      assert.ok(message.includes(String(task_id)), message);
      assert.deepEqual(await rowCounts(test.store), before);
      await drive.complete(await drive.claimed(queue), [signalWait]);
    });

    it('answers a stored completion before it looks at the fence or at the run', async () => {
      const { task, run_id } = await drive.fresh();
      const first = await drive.complete(task, [record('a'), signalWait]);
      await terminateRun(test.store, test.settings, run_id);
      const again = await drive.complete(task, [record('a'), signalWait]);
      assert.deepEqual(again, { ...first, recorded: false, reason: 'already_completed' });
      await drive.refused({ ...task, lease_owner: 'w2' }, [record('a'), signalWait], 'conflicting_completion');
      await drive.refused({ ...task, workflow_task_attempt: 2 }, [record('a'), signalWait], 'conflicting_completion');
    });

    it('checks shape, then text, then sizes, and only then asks for the task', async () => {
      const nobody = { ...(await drive.fresh()).task, task_id: 'nobody' };
      const shape = { ...signalWait, colour: 'a\u0000b' };
      const text = record('a', { result: 'a\u0000b' });
      const large = record('a', { result: 'x'.repeat(test.settings.limits.payloadBytes + 1) });
      test.clear();
      await drive.refused(nobody, [shape, text, large], 'invalid_completion');
      await drive.refused(nobody, [text, large], 'unstorable_text');
      await drive.refused(nobody, [large], 'payload_too_large');
      await drive.refused(nobody, Array(21).fill(signalWait), 'completion_budget_exceeded');
      assert.deepEqual(test.statements, []);
      await drive.refused(nobody, [signalWait], 'task_not_found');
    });

    it('refuses what a closed run can no longer take, and the worker learns that it is closed', async () => {
      const { task, run_id } = await drive.fresh();
      await cancelRun(test.store, test.settings, run_id);
      const before = await rowCounts(test.store);
      await drive.refused(task, [record('a'), end], 'run_closed');
      assert.deepEqual(await rowCounts(test.store), before);
    });

    it('refuses an end whose closed children are over the budget, after which nothing of it is stored', async () => {
      const parent = await drive.fresh();
      await drive.complete(parent.task, [child, child, child, child, child, signalWait]);
      const children = [];
      for (let index = 0; index < 5; index += 1) children.push(await drive.claimed(parent.queue));
      const [first] = children;
      assert.ok(first);
      await drive.complete(first, [end]);
      const held = await drive.claimed(parent.queue);
      const before = { counts: await rowCounts(test.store), run: await readAll(test.store, parent.run_id) };
      const records = Array.from({ length: 5 }, (_, index) => record(`r${index}`));
      test.clear();
      const message = await drive.refused(held, [...records, end], 'completion_budget_exceeded');
      assert.match(message, /\d+ events, the limit is 20 \(limits\.completionEvents\)/);
      assert.equal(test.count('rollback'), 1);
      assert.equal(test.count('commit'), 0);
      assert.deepEqual({ counts: await rowCounts(test.store), run: await readAll(test.store, parent.run_id) }, before);
      await drive.complete(held, [record('fits'), end]);
      assert.equal((await readEvents(test.store, parent.run_id)).at(-1)?.type, 'ParentClosePolicyApplied');
    });

    it('charges merged documents when they are written, and keeps nothing when they are too large', async () => {
      const { task } = await drive.fresh();
      const memo = (key: string) => ({ type: 'upsert_memo', entries: { [key]: 'y'.repeat(9_000) } });
      const before = await rowCounts(test.store);
      test.clear();
      const message = await drive.refused(task, [memo('b'), memo('c'), memo('d')], 'completion_budget_exceeded');
      assert.match(message, /\d+ bytes, the limit is 65536 \(limits\.completionBytes\)/);
      assert.equal(test.count('rollback'), 1);
      assert.deepEqual(await rowCounts(test.store), before);
      await drive.complete(task, [memo('b')]);
    });

    it('counts rows of every table before it asks the database for anything', async () => {
      const { task } = await drive.fresh();
      const timeouts = { schedule_to_start_timeout: 9, schedule_to_close_timeout: 9 };
      const activity = { type: 'schedule_activity', activity_type: 'a', ...timeouts };
      test.clear();
      const message = await drive.refused(task, Array(13).fill(activity), 'completion_budget_exceeded');
      assert.match(message, /^the completion would write \d+ rows, the limit is 60 \(limits\.completionRows\)$/);
      assert.deepEqual(test.statements, []);
      await drive.complete(task, [activity]);
    });
  });
}
