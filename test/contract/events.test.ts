import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fireDueTasks } from '../../src/transaction/fire-due-task.ts';
import { commandList, Drive } from '../support/drive.ts';
import { assertEventKeys } from '../support/event-keys.ts';
import { commandLists } from '../support/generators.ts';
import { readAll, readEvents } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

for (const kind of storeKinds) {
  describe(`the events on ${kind}`, () => {
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

    it('carry only the keys that the contract lists, and none that is null', async function () {
      this.timeout(60_000);
      const lists = fc.sample(
        commandLists.map(list => list.filter(command => !('update_id' in command))).filter(list => list.length > 0),
        15,
      );
      for (const list of lists) {
        const { task } = await drive.fresh();
        await drive.complete(task, list);
        await fireDueTasks(test.store, test.settings);
      }
      await assertEventKeys(test.store);
    });

    it('of retries, heartbeats and failures are in the order and at the times that the attempts tell', async () => {
      const { task, run_id } = await drive.fresh();
      await drive.complete(task, commandList('retries-heartbeats-and-a-failure'));
      const { events, attempts, failures, run } = await readAll(test.store, run_id);
      assert.deepEqual(
        events.slice(2).map(({ type }) => type.replace('Activity', '')),
        [
          ...['Scheduled', 'Started', 'HeartbeatRecorded', 'HeartbeatRecorded', 'RetryScheduled'],
          ...['Started', 'RetryScheduled', 'Started', 'HeartbeatRecorded', 'Completed'],
          ...[
            'Scheduled',
            'Started',
            'Failed',
            'Scheduled',
            'Started',
            'TimedOut',
            'Scheduled',
            'Started',
            'Cancelled',
          ],
          'WorkflowFailed',
        ],
      );
      assert.deepEqual(
        failures
          .filter(({ source_kind }) => source_kind === 'activity_execution')
          .map(({ failure_category }) => failure_category),
        ['activity', 'timeout'],
      );
      const now = run?.last_progress_at?.micros ?? 0;
      const ms = (time: { micros: number } | null) => ((time?.micros ?? 0) - now) / 1_000;
      const first = attempts.filter(
        ({ activity_execution_id }) => activity_execution_id === attempts[0]?.activity_execution_id,
      );
      assert.deepEqual(
        first.map(({ started_at, closed_at }) => [ms(started_at), ms(closed_at)]),
        [
          [-55 - 5_000 - 40 - 1_000 - 10_000, -55 - 5_000 - 40 - 1_000],
          [-55 - 5_000 - 40, -55 - 5_000],
          [-55, 0],
        ],
      );
      assert.equal(ms(first[0]?.last_heartbeat_at ?? null), -16_095 + 4_900);
      assert.deepEqual([run?.status, run?.closed_reason], ['failed', 'failed']);
    });

    it('of an order, its pages and its end are exactly these', async () => {
      const order = await drive.fresh();
      const outcome = await drive.complete(order.task, commandList('order-fulfilment'));
      const record = ['ActivityScheduled', 'ActivityStarted', 'ActivityCompleted'];
      assert.deepEqual(
        (await readEvents(test.store, order.run_id)).map(({ type }) => type),
        [
          ...['StartAccepted', 'WorkflowStarted', 'VersionMarkerRecorded', ...record, ...record, 'SideEffectRecorded'],
          ...['SearchAttributesUpserted', 'MemoUpserted', ...record, ...record, 'ActivityScheduled', 'TimerScheduled'],
          ...['ChildWorkflowScheduled', 'ChildRunStarted', 'ConditionWaitOpened', 'TimerScheduled'],
        ],
      );
      assert.equal(outcome.created_task_ids.length, 4);
      const pages = await drive.fresh();
      await drive.complete(pages.task, commandList('continue'));
      assert.deepEqual(
        (await readEvents(test.store, pages.run_id)).map(({ type }) => type),
        [...['StartAccepted', 'WorkflowStarted', ...record, ...record, 'WorkflowContinuedAsNew']],
      );
      const next = await drive.claimed(pages.queue);
      assert.notEqual(next.run_id, pages.run_id);
      await drive.complete(next, commandList('finish'));
      const events = await readEvents(test.store, next.run_id);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['WorkflowStarted', ...record, 'WorkflowCompleted'],
      );
      assert.equal(events[0]?.payload.continued_from_run_id, pages.run_id);
      assert.deepEqual(events.at(-1)?.payload, { output: '{"done":true}', payload_codec: 'json' });
    });
  });
}
