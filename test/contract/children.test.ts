import assert from 'node:assert/strict';
import { readRun } from '../../src/store/reads.ts';
import { Drive, record } from '../support/drive.ts';
import { readEvents, rowCounts } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

const child = (index: number, more: object = {}) => ({
  type: 'start_child_workflow',
  workflow_type: `child-${index}`,
  parallel_group_id: 'group',
  parallel_group_size: 3,
  parallel_group_index: index,
  ...more,
});

for (const kind of storeKinds) {
  describe(`children on ${kind}`, () => {
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

    it('waits for all of three parallel children, or for the first that fails', async () => {
      const parent = await drive.fresh();
      await drive.complete(
        parent.task,
        [0, 1, 2].map(index => child(index)),
      );
      const claimed = [
        await drive.claimed(parent.queue),
        await drive.claimed(parent.queue),
        await drive.claimed(parent.queue),
      ];
      const [a, b, c] = claimed as [typeof parent.task, typeof parent.task, typeof parent.task];
      assert.deepEqual(await types(a.run_id), ['WorkflowStarted']);
      await drive.complete(a, [{ type: 'complete_workflow', result: '"a"' }]);
      assert.equal(await drive.claim(parent.queue), undefined);
      await drive.complete(b, [{ type: 'fail_workflow', message: 'b broke', exception_type: 'B' }]);
      const woken = await drive.claimed(parent.queue);
      assert.equal(woken.run_id, parent.run_id);
      await drive.complete(c, [{ type: 'complete_workflow' }]);
      const events = await readEvents(test.store, parent.run_id);
      assert.deepEqual(
        events.slice(8).map(({ type }) => type),
        ['ChildRunCompleted', 'ChildRunFailed', 'ChildRunCompleted'],
      );
      assert.deepEqual(
        [events[8]?.payload.output, events[9]?.payload.message, events[9]?.payload.sequence],
        ['"a"', 'b broke', 2],
      );
      await drive.complete(woken, [{ type: 'complete_workflow' }]);
    });

    it('refuses parallel groups whose members disagree', async () => {
      const { task } = await drive.fresh();
      const message = await drive.refused(
        task,
        [child(0), child(1, { parallel_group_size: 2 }), child(1)],
        'invalid_parallel_group',
      );
      assert.ok(
        message.includes('commands.1.parallel_group_size') && message.includes('commands.2.parallel_group_index'),
        message,
      );
      await drive.refused(task, [{ ...child(0), parallel_group_size: undefined }], 'invalid_parallel_group');
    });

    it('starts a failed child again by its policy, and tells the parent only of the end', async () => {
      const parent = await drive.fresh();
      await drive.complete(parent.task, [
        { type: 'start_child_workflow', workflow_type: 'c', arguments: '"x"', retry_policy: { max_attempts: 2 } },
      ]);
      const first = await drive.claimed(parent.queue);
      await drive.complete(first, [{ type: 'fail_workflow', message: 'once' }]);
      const second = await drive.claimed(parent.queue);
      assert.deepEqual([second.workflow_id, second.run_id === first.run_id], [first.workflow_id, false]);
      assert.equal((await readRun(test.store, second.run_id)).arguments, '"x"');
      await drive.complete(second, [{ type: 'complete_workflow' }]);
      assert.deepEqual((await types(parent.run_id)).slice(2), [
        'ChildWorkflowScheduled',
        'ChildRunStarted',
        'ChildRunStarted',
        'ChildRunCompleted',
      ]);
      await drive.complete(await drive.claimed(parent.queue), [{ type: 'complete_workflow' }]);
    });

    it('closes children that start in the completion that ends their parent', async () => {
      const { run_id, task, queue } = await drive.fresh();
      const policies = ['terminate', 'abandon', 'request_cancel'];
      const start = { type: 'start_child_workflow', workflow_type: 'c' };
      await drive.complete(task, [
        { type: 'complete_workflow' },
        ...policies.map(parent_close_policy => ({ ...start, parent_close_policy })),
      ]);
      const events = await readEvents(test.store, run_id);
      assert.deepEqual(
        events.slice(8).map(({ type, payload }) => [type, payload.policy]),
        [
          ['WorkflowCompleted', undefined],
          ['ParentClosePolicyApplied', 'terminate'],
          ['ParentClosePolicyApplied', 'request_cancel'],
        ],
      );
      const children = events.filter(({ type }) => type === 'ChildRunStarted').map(({ payload }) => payload);
      const statuses = children.map(
        async payload => (await readRun(test.store, String(payload.child_workflow_run_id))).status,
      );
      assert.deepEqual(await Promise.all(statuses), ['terminated', 'pending', 'cancelled']);
      const abandoned = await drive.claimed(queue);
      assert.equal(abandoned.run_id, children[1]?.child_workflow_run_id);
      assert.equal(await drive.claim(queue), undefined);
      await drive.complete(abandoned, [{ type: 'complete_workflow' }]);
    });

    it('refuses a child whose id is in use, there or in the same completion', async () => {
      const { workflow_id, task, queue } = await drive.fresh();
      const start = { type: 'start_child_workflow', workflow_type: 'c' };
      const before = await rowCounts(test.store);
      await drive.refused(task, [record('a'), { ...start, workflow_id }], 'workflow_id_already_exists');
      const twice = { ...start, workflow_id: `child of ${workflow_id}` };
      const message = await drive.refused(task, [twice, record('a'), twice, twice], 'invalid_completion');
      assert.ok(message.includes('commands.2.workflow_id:') && message.includes('commands.3.workflow_id:'), message);
      assert.deepEqual(await rowCounts(test.store), before);
      await drive.complete(task, [twice]);
      assert.equal((await drive.claimed(queue)).workflow_id, twice.workflow_id);
    });

    it('wakes for a group of an activity, a timer and a child when the last of them is done', async () => {
      const { task, run_id, queue } = await drive.fresh();
      const group = (parallel_group_index: number) => ({
        parallel_group_id: 'mixed',
        parallel_group_size: 3,
        parallel_group_index,
      });
      await drive.complete(task, [
        { type: 'schedule_activity', activity_type: 'a', ...group(0) },
        { type: 'start_timer', delay_seconds: 60, ...group(1) },
        { type: 'start_child_workflow', workflow_type: 'c', ...group(2) },
      ]);
      await drive.complete(await drive.claimed(queue), [{ type: 'complete_workflow' }]);
      assert.equal(await drive.claim(queue), undefined);
      await drive.endActivity(await drive.claimed(queue, 'activity'), { outcome: 'completed' });
      assert.equal(await drive.claim(queue), undefined);
      await drive.pass(run_id, 61);
      assert.equal((await drive.claimed(queue)).run_id, run_id);
      const ends = (await readEvents(test.store, run_id)).slice(6);
      assert.deepEqual(
        ends.map(({ type, payload }) => [type, payload.parallel_group_index]),
        [
          ['ChildRunCompleted', 2],
          ['ActivityStarted', 0],
          ['ActivityCompleted', 0],
          ['TimerFired', 1],
        ],
      );
    });
  });
}
