import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRun } from '../../src/store/reads.ts';
import { cancelRun, terminateRun } from '../../src/transaction/end-run.ts';
import { fireDueTasks } from '../../src/transaction/fire-due-task.ts';
import { sendSignal } from '../../src/transaction/send-signal.ts';
import { Drive, signalWait } from '../support/drive.ts';
import { ask, readAll, readEvents } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

const code = (expected: string) => (error: unknown) => (error as { code?: string }).code === expected;

for (const kind of storeKinds) {
  describe(`the end of a run on ${kind}`, () => {
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

    const types = async (runId: string) => (await readEvents(test.store, runId)).map(({ type }) => type);
    const signal = (runId: string, name: string, more: object = {}) =>
      sendSignal(test.store, test.settings, runId, name, more);

    for (const [title, end, event] of [
      ['cancelled', cancelRun, 'WorkflowCancelled'],
      ['terminated', terminateRun, 'WorkflowTerminated'],
    ] as const)
      it(`${title} from outside reaches its children by their policies, and the worker that holds its task`, async () => {
        const parent = await drive.fresh();
        const policies = ['request_cancel', 'terminate', 'abandon'];
        const start = policies.map(parent_close_policy => ({
          type: 'start_child_workflow',
          workflow_type: 'c',
          parent_close_policy,
        }));
        await drive.complete(parent.task, [...start, signalWait]);
        const children = [
          await drive.claimed(parent.queue),
          await drive.claimed(parent.queue),
          await drive.claimed(parent.queue),
        ];
        await signal(parent.run_id, 'go');
        const held = await drive.claimed(parent.queue);
        const sent = await end(test.store, test.settings, parent.run_id, { reason: 'enough', request_id: 'e' });
        assert.deepEqual(await end(test.store, test.settings, parent.run_id, { request_id: 'e' }), {
          ...sent,
          recorded: false,
        });
        await assert.rejects(end(test.store, test.settings, parent.run_id), code('run_closed'));
        await drive.refused(held, [signalWait], 'run_closed');
        await assert.rejects(signal(parent.run_id, 'go'), code('run_closed'));
        const statuses = await Promise.all(children.map(async task => (await readRun(test.store, task.run_id)).status));
        assert.deepEqual(statuses, ['cancelled', 'terminated', 'running']);
        const ends = (await types(parent.run_id)).slice(-4);
        assert.deepEqual(ends.slice(1), [event, 'ParentClosePolicyApplied', 'ParentClosePolicyApplied']);
        await drive.complete(children[2] as typeof held, [{ type: 'complete_workflow' }]);
      });

    it('passes its deadline: it fails as timed out, and its worker is told', async () => {
      const { run_id, task } = await drive.fresh({ run_timeout_seconds: 1 });
      await sleep(1_050);
      await drive.refused(task, [signalWait], 'run_timed_out');
      await fireDueTasks(test.store, test.settings);
      const { run, events } = await readAll(test.store, run_id);
      assert.deepEqual(
        [run?.status, run?.closed_reason, events.at(-1)?.type],
        ['failed', 'timed_out', 'WorkflowTimedOut'],
      );
      await drive.refused(task, [signalWait], 'run_timed_out');
    });

    it('goes on as new with memo and search attributes, also for the parent that waits', async () => {
      const parent = await drive.fresh();
      await drive.complete(parent.task, [{ type: 'start_child_workflow', workflow_type: 'c' }]);
      const first = await drive.claimed(parent.queue);
      await drive.complete(first, [
        { type: 'upsert_memo', entries: { note: 'n', gone: 1 } },
        { type: 'upsert_memo', entries: { gone: null } },
        { type: 'upsert_search_attributes', attributes: { n: 5, tags: ['a'] } },
        { type: 'continue_as_new', arguments: '"next"' },
      ]);
      const second = await drive.claimed(parent.queue);
      assert.notEqual(second.run_id, parent.run_id);
      const memo = await test.store.read(
        ask({ name: 'text', value: 'text' }, 'select name, value from workflow_memos where workflow_run_id = ?'),
        [second.run_id],
      );
      assert.deepEqual(memo, [{ name: 'note', value: '"n"' }]);
      await drive.complete(second, [
        { type: 'upsert_search_attributes', attributes: { m: true } },
        { type: 'complete_workflow', result: '"end"' },
      ]);
      const merged = (await readEvents(test.store, second.run_id)).find(
        ({ type }) => type === 'SearchAttributesUpserted',
      );
      assert.deepEqual(merged?.payload.merged, { m: true, n: 5, tags: ['a'] });
      const told = (await readEvents(test.store, parent.run_id)).at(-1);
      assert.deepEqual(
        [told?.type, told?.payload.output, told?.payload.child_run_number],
        ['ChildRunCompleted', '"end"', 2],
      );
      await drive.complete(await drive.claimed(parent.queue), [{ type: 'complete_workflow' }]);
    });
  });
}
