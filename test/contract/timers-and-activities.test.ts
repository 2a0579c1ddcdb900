import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { fireDueTasks } from '../../src/transaction/fire-due-task.ts';
import { Drive, record } from '../support/drive.ts';
import { readAll, readEvents } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

for (const kind of storeKinds) {
  describe(`timers and activities on ${kind}`, () => {
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

    it('fires a timer once, however many look at once, and lets condition waits time out', async () => {
      const { run_id, task, queue } = await drive.fresh();
      await drive.complete(task, [
        { type: 'start_timer', delay_seconds: 0 },
        { type: 'open_condition_wait', condition_key: 'k', timeout_seconds: 1 },
      ]);
      await Promise.all(
        Array.from({ length: 4 }, () => fireDueTasks(test.store, test.settings).catch(() => undefined)),
      );
      await fireDueTasks(test.store, test.settings);
      assert.deepEqual((await types(run_id)).slice(2), [
        'TimerScheduled',
        'ConditionWaitOpened',
        'TimerScheduled',
        'TimerFired',
      ]);
      const woken = await drive.claimed(queue);
      await sleep(1_050);
      await fireDueTasks(test.store, test.settings);
      assert.deepEqual((await types(run_id)).slice(6), ['TimerFired', 'ConditionWaitTimedOut']);
      const outcome = await drive.complete(woken, [record('a')]);
      assert.equal(outcome.created_task_ids.length, 1, 'what happened while the task was leased wakes the run again');
      await drive.complete(await drive.claimed(queue), [{ type: 'complete_workflow' }]);
    });

    it('retries a scheduled activity by its policy, and takes its result', async () => {
      const { run_id, task, queue } = await drive.fresh();
      await drive.complete(task, [
        {
          type: 'schedule_activity',
          activity_type: 'a',
          arguments: '[]',
          queue: `${queue}-a`,
          retry_policy: { max_attempts: 3, backoff_seconds: [0, 0], non_retryable_error_types: ['Fatal'] },
        },
      ]);
      const first = await drive.claimed(`${queue}-a`, 'activity');
      assert.equal(
        (await drive.endActivity(first, { outcome: 'failed', message: 'm', exception_type: 'Net' })).kind,
        'done',
      );
      assert.equal(await drive.claim(queue), undefined);
      const second = await drive.claimed(`${queue}-a`, 'activity');
      const stale = await drive.endActivity({ ...second, workflow_task_attempt: 9 }, { outcome: 'completed' });
      assert.equal(stale.kind === 'refused' && stale.code, 'workflow_task_attempt_mismatch');
      const end = { outcome: 'completed', result: { codec: 'json', blob: '7' } };
      assert.equal((await drive.endActivity(second, end)).kind, 'done');
      const again = await drive.endActivity(second, end);
      assert.equal(again.kind === 'done' && (again.result as { recorded: boolean }).recorded, false);
      assert.deepEqual((await types(run_id)).slice(2), [
        'ActivityScheduled',
        'ActivityStarted',
        'ActivityRetryScheduled',
        'ActivityStarted',
        'ActivityCompleted',
      ]);
      const { executions, attempts, waits } = await readAll(test.store, run_id);
      assert.deepEqual(
        [executions[0]?.status, executions[0]?.result, executions[0]?.attempt_count],
        ['completed', '7', 2],
      );
      assert.deepEqual(
        attempts.map(({ status }) => status),
        ['failed', 'completed'],
      );
      assert.equal(waits[0]?.status, 'resolved');
      await drive.complete(await drive.claimed(queue), [{ type: 'complete_workflow' }]);
    });

    it('fails a scheduled activity for good when it must not be retried, or ran out of time', async () => {
      const { run_id, task, queue } = await drive.fresh();
      const policy = { max_attempts: 5, non_retryable_error_types: ['Fatal'] };
      await drive.complete(task, [
        { type: 'schedule_activity', activity_type: 'fatal', queue: `${queue}-f`, retry_policy: policy },
        { type: 'schedule_activity', activity_type: 'late', queue: `${queue}-l`, schedule_to_start_timeout: 1 },
      ]);
      await drive.endActivity(await drive.claimed(`${queue}-f`, 'activity'), {
        outcome: 'failed',
        message: 'm',
        exception_type: 'Fatal',
      });
      await sleep(1_050);
      await fireDueTasks(test.store, test.settings);
      assert.deepEqual((await types(run_id)).slice(4), ['ActivityStarted', 'ActivityFailed', 'ActivityTimedOut']);
      const { failures, summary } = await readAll(test.store, run_id);
      assert.deepEqual(
        failures.map(({ failure_category }) => failure_category),
        ['activity', 'timeout'],
      );
      assert.equal(summary?.exception_count, 2);
      await drive.complete(await drive.claimed(queue), [{ type: 'complete_workflow' }]);
    });
  });
}
