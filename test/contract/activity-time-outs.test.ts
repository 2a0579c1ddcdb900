import assert from 'node:assert/strict';
import { Drive } from '../support/drive.ts';
import { readAll, readEvents } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

for (const kind of storeKinds) {
  describe(`time-outs of activities on ${kind}`, () => {
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

    it('retries an attempt that takes too long, then gives up, and tells its late worker', async () => {
      const { run_id, task, queue } = await drive.fresh();
      const retry_policy = { max_attempts: 2, backoff_seconds: [0] };
      await drive.complete(task, [
        { type: 'schedule_activity', activity_type: 'slow', start_to_close_timeout: 60, retry_policy },
      ]);
      const first = await drive.claimed(queue, 'activity');
      await drive.pass(run_id, 61);
      const late = await drive.endActivity(first, { outcome: 'completed', result: '1' });
      assert.equal(late.kind === 'refused' && late.code, 'task_not_leased');
      await drive.claimed(queue, 'activity');
      await drive.pass(run_id, 61);
      const { events, attempts, executions, failures } = await readAll(test.store, run_id);
      assert.deepEqual(
        events.slice(3).map(({ type, payload }) => [type.replace('Activity', ''), payload.timeout_kind]),
        [
          ['Started', undefined],
          ['RetryScheduled', 'start_to_close'],
          ['Started', undefined],
          ['TimedOut', 'start_to_close'],
        ],
      );
      assert.deepEqual(
        attempts.map(({ status }) => status),
        ['timed_out', 'timed_out'],
      );
      assert.deepEqual([executions[0]?.status, executions[0]?.attempt_count], ['timed_out', 2]);
      assert.deepEqual([failures.length, failures[0]?.failure_category], [1, 'timeout']);
      await drive.complete(await drive.claimed(queue), [{ type: 'complete_workflow' }]);
    });

    it('counts the time of an attempt from the claim in force, not from one whose lease ran out', async () => {
      const { run_id, task, queue } = await drive.fresh();
      await drive.complete(task, [{ type: 'schedule_activity', activity_type: 'a', start_to_close_timeout: 600 }]);
      const lost = await drive.claimed(queue, 'activity');
      await drive.pass(run_id, 500);
      const second = await drive.claimed(queue, 'activity');
      assert.deepEqual([second.task_id, second.workflow_task_attempt], [lost.task_id, 2]);
      await drive.pass(run_id, 200);
      assert.equal((await types(run_id)).at(-1), 'ActivityScheduled');
      const stale = await drive.endActivity(lost, { outcome: 'completed' });
      assert.equal(stale.kind === 'refused' && stale.code, 'workflow_task_attempt_mismatch');
      await drive.pass(run_id, 500);
      assert.equal((await types(run_id)).at(-1), 'ActivityTimedOut');
    });

    it('ends an activity between two attempts when its whole time is over', async () => {
      const { run_id, task, queue } = await drive.fresh();
      const retry_policy = { max_attempts: 3, backoff_seconds: [30] };
      await drive.complete(task, [
        { type: 'schedule_activity', activity_type: 'a', schedule_to_close_timeout: 60, retry_policy },
      ]);
      await drive.endActivity(await drive.claimed(queue, 'activity'), { outcome: 'failed', message: 'm' });
      await drive.pass(run_id, 61);
      assert.deepEqual((await types(run_id)).slice(3), [
        'ActivityStarted',
        'ActivityRetryScheduled',
        'ActivityTimedOut',
      ]);
      assert.equal(await drive.claim(queue, 'activity'), undefined);
      const { executions, attempts } = await readAll(test.store, run_id);
      assert.deepEqual([executions[0]?.status, executions[0]?.attempt_count, attempts.length], ['timed_out', 1, 1]);
      assert.equal(executions[0]?.current_attempt_id, attempts[0]?.id);
    });
  });
}
