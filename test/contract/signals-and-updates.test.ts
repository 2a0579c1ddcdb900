import assert from 'node:assert/strict';
import { sendSignal } from '../../src/transaction/send-signal.ts';
import { sendUpdate } from '../../src/transaction/send-update.ts';
import { Drive, passing, record, signalWait } from '../support/drive.ts';
import { ask, readAll, readEvents } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

for (const kind of storeKinds) {
  describe(`what reaches a run from outside on ${kind}`, () => {
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

    it('takes a signal to its open wait, cancels its time-out, and wakes once', async () => {
      const { run_id, task, queue } = await drive.fresh();
      await drive.complete(task, [{ ...signalWait, timeout_seconds: 60 }]);
      const sent = await signal(run_id, 'go', { arguments: '[1]', request_id: 'r-1' });
      assert.deepEqual(await signal(run_id, 'go', { arguments: '[1]', request_id: 'r-1' }), {
        ...sent,
        recorded: false,
      });
      await signal(run_id, 'other');
      const { events, waits, summary } = await readAll(test.store, run_id);
      assert.deepEqual(
        events.slice(3).map(({ type }) => type),
        ['TimerScheduled', 'SignalReceived', 'SignalApplied', 'TimerCancelled', 'SignalReceived'],
      );
      assert.deepEqual([events[5]?.payload.value, waits[0]?.status, summary?.open_wait_id], ['[1]', 'resolved', null]);
      await drive.complete(await drive.claimed(queue), [record('a')]);
      assert.equal(await drive.claim(queue), undefined);
    });

    it('keeps a signal for the wait that opens later, and wakes at once then', async () => {
      const { run_id, task, queue } = await drive.fresh();
      await signal(run_id, 'go', { arguments: '"early"' });
      const outcome = await drive.complete(task, [signalWait, signalWait]);
      assert.equal(outcome.created_task_ids.length, 1);
      assert.deepEqual((await types(run_id)).slice(2), [
        'SignalReceived',
        'SignalWaitOpened',
        'SignalApplied',
        'SignalWaitOpened',
      ]);
      const events = await readEvents(test.store, run_id);
      assert.equal(events[2]?.payload.signal_wait_id, events[3]?.payload.signal_wait_id);
      await drive.claimed(queue);
    });

    it('gives two waits of one name a signal each, the older wait the first', async () => {
      const { run_id, task } = await drive.fresh();
      await drive.complete(task, [signalWait, signalWait]);
      await signal(run_id, 'go', { arguments: '1' });
      const open = async () => (await readAll(test.store, run_id)).waits.map(({ status }) => status);
      assert.deepEqual(await open(), ['resolved', 'open']);
      await signal(run_id, 'go', { arguments: '2' });
      assert.deepEqual(await open(), ['resolved', 'resolved']);
      const applied = (await readEvents(test.store, run_id)).filter(({ type }) => type === 'SignalApplied');
      assert.deepEqual(
        applied.map(({ payload }) => [payload.sequence, payload.value]),
        [
          [1, '1'],
          [2, '2'],
        ],
      );
    });

    it('times a wait out once, and keeps a signal that comes after that', async () => {
      const { run_id, task, queue } = await drive.fresh();
      await drive.complete(task, [{ ...signalWait, timeout_seconds: 60 }]);
      await drive.pass(run_id, 61);
      assert.deepEqual((await types(run_id)).slice(2), ['SignalWaitOpened', 'TimerScheduled', 'TimerFired']);
      await signal(run_id, 'go');
      const { events, waits } = await readAll(test.store, run_id);
      assert.deepEqual([waits[0]?.status, events.at(-1)?.type], ['timed_out', 'SignalReceived']);
      assert.notEqual(events.at(-1)?.payload.signal_wait_id, waits[0]?.id);
      await drive.complete(await drive.claimed(queue), [signalWait, { type: 'complete_workflow' }]);
      assert.deepEqual((await types(run_id)).slice(6), ['SignalWaitOpened', 'SignalApplied', 'WorkflowCompleted']);
    });

    it('either applies a signal or times its wait out when both come at once, and wakes once', async () => {
      for (let round = 0; round < 8; round += 1) {
        const { run_id, task, queue } = await drive.fresh();
        await drive.complete(task, [{ ...signalWait, timeout_seconds: 60 }]);
        await Promise.all([drive.pass(run_id, 61), passing(() => signal(run_id, 'go'))]);
        const { waits } = await readAll(test.store, run_id);
        assert.deepEqual(
          (await types(run_id)).slice(4),
          waits[0]?.status === 'resolved'
            ? ['SignalReceived', 'SignalApplied', 'TimerCancelled']
            : ['TimerFired', 'SignalReceived'],
        );
        await drive.claimed(queue);
        assert.equal(await drive.claim(queue), undefined);
      }
    });

    it('takes a request id for one kind of request only', async () => {
      const { run_id } = await drive.fresh();
      await signal(run_id, 'go', { request_id: 'r' });
      await assert.rejects(
        sendUpdate(test.store, test.settings, run_id, 'u', { request_id: 'r' }),
        /used for a signal/,
      );
      await assert.rejects(signal('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'go'), /there is no run/);
    });

    it('answers updates, once each, and rejects the open ones at its end', async () => {
      const { run_id, task, queue } = await drive.fresh();
      const [one, two] = [
        await sendUpdate(test.store, test.settings, run_id, 'one', { arguments: '1', request_id: 'u-1' }),
        await sendUpdate(test.store, test.settings, run_id, 'two'),
      ];
      assert.equal(
        (await sendUpdate(test.store, test.settings, run_id, 'one', { request_id: 'u-1' })).update_id,
        one.update_id,
      );
      await drive.refused(task, [{ type: 'complete_update', update_id: 'nobody' }], 'update_not_found');
      const answer = { type: 'complete_update', update_id: one.update_id, result: '"done"' };
      await drive.refused(task, [answer, answer], 'update_task_mismatch');
      await drive.complete(task, [answer]);
      const next = await drive.claimed(queue);
      await drive.refused(
        next,
        [{ type: 'fail_update', update_id: one.update_id, message: 'm' }],
        'update_task_mismatch',
      );
      await drive.complete(next, [{ type: 'complete_workflow', result: '1' }]);
      assert.deepEqual((await types(run_id)).slice(2), [
        'UpdateAccepted',
        'UpdateAccepted',
        'UpdateApplied',
        'UpdateCompleted',
        'WorkflowCompleted',
        'UpdateCompleted',
      ]);
      const statuses = await test.store.read(
        ask(
          { id: 'text', status: 'text' },
          'select id, status from workflow_updates where workflow_run_id = ? order by id',
        ),
        [run_id],
      );
      assert.deepEqual(
        statuses.map(({ status }) => status),
        ['completed', 'rejected'],
      );
      assert.equal((await readEvents(test.store, run_id)).at(-1)?.payload.update_id, two.update_id);
    });
  });
}
