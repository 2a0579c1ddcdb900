import assert from 'node:assert/strict';
import { cancelRun } from '../../src/transaction/end-run.ts';
import { Drive } from '../support/drive.ts';
import { readAll, readEvents, rowCounts } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

const completed = { outcome: 'completed', result: '1' };

for (const kind of storeKinds) {
  describe(`the end of a claimed activity on ${kind}`, () => {
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

    /** A claimed activity of a run of its own. */
    async function claimed(more: object = {}) {
      const fresh = await drive.fresh();
      await drive.complete(fresh.task, [{ type: 'schedule_activity', activity_type: 'a', ...more }]);
      return { ...fresh, activity: await drive.claimed(fresh.queue, 'activity') };
    }

    /** Sent as a job, refused with a code, and nothing is stored. */
    async function refused(data: object, code: string, enqueuedAtMs = Date.now()): Promise<string> {
      const before = await rowCounts(test.store);
      const verdict = await drive.job('activity-completion', data, enqueuedAtMs);
      assert.equal(verdict.kind === 'refused' && verdict.code, code, JSON.stringify(verdict));
      assert.deepEqual(await rowCounts(test.store), before);
      return 'message' in verdict ? verdict.message : '';
    }

    const job = ({ task_id, lease_owner, workflow_task_attempt }: Awaited<ReturnType<typeof drive.claimed>>) => ({
      task_id,
      lease_owner,
      activity_task_attempt: workflow_task_attempt,
      ...completed,
    });

    it('is refused with every bad path, and taken when it is corrected', async () => {
      const { activity, run_id } = await claimed();
      const bad = { ...job(activity), outcome: 'won', result: 5, non_retryable: 1, colour: 'red' };
      const message = await refused(bad, 'invalid_completion');
      for (const path of ['outcome', 'result', 'non_retryable', 'colour'])
        assert.ok(message.includes(`${path}: `), `${path} in ${message}`);
      await refused({ ...job(activity), result: 'a\u0000b' }, 'unstorable_text');
      await refused({ ...job(activity), result: 'x'.repeat(2_097_153) }, 'payload_too_large');
      await refused({ ...job(activity), outcome: 'failed', result: null }, 'invalid_completion');
      assert.equal((await drive.endActivity(activity, completed)).kind, 'done');
      assert.equal((await readEvents(test.store, run_id)).at(-1)?.payload.result, '1');
    });

    it('is refused for a task that is none, another owner or attempt, and after its lease', async () => {
      const { activity, task } = await claimed();
      await refused({ ...job(activity), task_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 'task_not_found');
      await refused({ ...job(activity), task_id: task.task_id }, 'task_not_found');
      await refused({ ...job(activity), lease_owner: 'w2' }, 'lease_owner_mismatch');
      await refused({ ...job(activity), activity_task_attempt: 2 }, 'workflow_task_attempt_mismatch');
      await refused(job(activity), 'lease_expired', Date.parse(activity.lease_expires_at));
      assert.equal((await drive.endActivity(activity, completed)).kind, 'done');
      await refused({ ...job(activity), result: '2' }, 'conflicting_completion');
    });

    it('is stored once when it is sent many times at once, and wakes its run once', async () => {
      const { activity, queue, run_id } = await claimed();
      const verdicts = await Promise.all(Array.from({ length: 5 }, () => drive.endActivity(activity, completed)));
      const recorded = verdicts.filter(
        verdict => verdict.kind === 'done' && (verdict.result as { recorded: boolean }).recorded,
      );
      assert.equal(recorded.length, 1);
      assert.equal((await readEvents(test.store, run_id)).length, 2 + 3);
      await drive.claimed(queue);
      assert.equal(await drive.claim(queue), undefined);
    });

    it('is told that the run is closed', async () => {
      const { activity, run_id } = await claimed();
      await cancelRun(test.store, test.settings, run_id);
      await refused(job(activity), 'run_closed');
      const { executions, attempts } = await readAll(test.store, run_id);
      assert.deepEqual([executions[0]?.status, attempts.length], ['cancelled', 0]);
    });

    it('may say that it was cancelled, which is no failure and is not tried again', async () => {
      const { activity, run_id, queue } = await claimed({ retry_policy: { max_attempts: 3 } });
      assert.equal((await drive.endActivity(activity, { outcome: 'cancelled', message: 'stop' })).kind, 'done');
      const { events, executions, failures } = await readAll(test.store, run_id);
      assert.deepEqual(
        [events.at(-1)?.type, executions[0]?.status, failures.length],
        ['ActivityCancelled', 'cancelled', 0],
      );
      await drive.claimed(queue);
      assert.equal(await drive.claim(queue, 'activity'), undefined);
    });
  });
}
