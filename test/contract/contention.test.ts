import assert from 'node:assert/strict';
import { readRun } from '../../src/store/reads.ts';
import type { ClaimedTask } from '../../src/transaction/claim-task.ts';
import { terminateRun } from '../../src/transaction/end-run.ts';
import { fireDueTasks } from '../../src/transaction/fire-due-task.ts';
import { sendSignal } from '../../src/transaction/send-signal.ts';
import { Drive, record } from '../support/drive.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

/** Requeues that the queue would absorb; more than that would reach a producer. */
const maxRequeues = 20;
const wholeRuns = Number(process.env.CONTRACT_WHOLE_RUNS ?? 200);

for (const kind of storeKinds) {
  describe(`many at once on ${kind}`, () => {
    let test: TestStore;
    let drive: Drive;
    before(async () => {
      test = await TestStore.open(kind);
      drive = new Drive(test);
    });
    after(() => test.close());

    /** A completion as the queue would bring it: again after a requeue, until it is stored or refused. */
    async function deliver(task: ClaimedTask, commands: readonly object[]): Promise<string> {
      for (let tries = 0; tries < maxRequeues; tries += 1) {
        const verdict = await drive.send(task, commands);
        if (verdict.kind === 'completed') return 'completed';
        if (verdict.kind === 'refused') return verdict.code;
        assert.equal(verdict.kind, 'requeue', JSON.stringify(verdict));
      }
      throw new Error('put back too often');
    }

    it('a parent and ten children that close at the same moment all end, and no deadlock reaches a producer', async function () {
      this.timeout(60_000);
      for (const policy of ['request_cancel', 'abandon']) {
        const parent = await drive.fresh();
        const start = { type: 'start_child_workflow', workflow_type: 'c', parent_close_policy: policy };
        await drive.complete(parent.task, [
          ...Array<object>(10).fill(start),
          { type: 'open_signal_wait', signal_name: 'go' },
        ]);
        const children: ClaimedTask[] = [];
        for (let index = 0; index < 10; index += 1) children.push(await drive.claimed(parent.queue));
        await sendSignal(test.store, test.settings, parent.run_id, 'go');
        const task = await drive.claimed(parent.queue);
        const answers = await Promise.all([
          deliver(task, [record('last'), { type: 'complete_workflow' }]),
          ...children.map(one => deliver(one, [record('a'), { type: 'complete_workflow' }])),
        ]);
        assert.ok(
          answers.every(answer => answer === 'completed' || answer === 'run_closed'),
          answers.join(),
        );
        for (const { run_id } of [parent, ...children])
          assert.ok(['completed', 'cancelled'].includes(String((await readRun(test.store, run_id)).status)));
      }
      await drive.assertClean();
    });

    it('the end of a run with more children than one transaction closes is finished by what is due', async function () {
      this.timeout(60_000);
      const parent = await drive.fresh();
      const start = { type: 'start_child_workflow', workflow_type: 'c', parent_close_policy: 'terminate' };
      await drive.complete(parent.task, Array<object>(250).fill(start));
      const child = await drive.claimed(parent.queue);
      await drive.complete(child, [start]);
      await terminateRun(test.store, test.settings, parent.run_id);
      for (let looks = 0; looks < 5; looks += 1) await fireDueTasks(test.store, test.settings);
      const grandchild = await drive.claim(parent.queue);
      assert.equal(grandchild, undefined, 'every child and grandchild is closed');
      await drive.assertClean();
    });

    it('whole workflows with a signal, an activity, a timer and an end come through', async function () {
      this.timeout(120_000);
      const work = Array.from({ length: wholeRuns }, (_, index) => index).values();
      const lane = async () => {
        for (const _ of work) await wholeWorkflow();
      };
      await Promise.all(Array.from({ length: 6 }, lane));
      await drive.assertClean();
    });

    async function wholeWorkflow(): Promise<void> {
      const { run_id, task, queue } = await drive.fresh();
      await deliver(task, [
        record('a'),
        record('b'),
        { type: 'open_signal_wait', signal_name: 'go', timeout_seconds: 60 },
      ]);
      await sendSignal(test.store, test.settings, run_id, 'go', { request_id: run_id });
      const second = await drive.claimed(queue);
      await deliver(second, [{ type: 'schedule_activity', activity_type: 'x' }, record('c')]);
      const activity = await drive.claimed(queue, 'activity');
      assert.equal((await drive.endActivity(activity, { outcome: 'completed', result: '1' })).kind, 'done');
      const third = await drive.claimed(queue);
      await deliver(third, [{ type: 'start_timer', delay_seconds: 0 }]);
      let fourth: ClaimedTask | undefined;
      for (let looks = 0; looks < 50 && fourth === undefined; looks += 1) {
        await fireDueTasks(test.store, test.settings).catch(() => undefined);
        fourth = await drive.claim(queue);
      }
      assert.ok(fourth);
      await deliver(fourth, [{ type: 'complete_workflow', result: '"end"' }]);
      const { status, last_history_sequence } = await readRun(test.store, run_id);
      assert.deepEqual([status, last_history_sequence], ['completed', '22']);
    }
  });
}
