import assert from 'node:assert/strict';
import { sendSignal } from '../../src/transaction/send-signal.ts';
import { sendUpdate } from '../../src/transaction/send-update.ts';
import { Drive } from '../support/drive.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

const code = (expected: string) => (error: unknown) => (error as { code?: string }).code === expected;

for (const kind of storeKinds) {
  describe(`limits of a run on ${kind}`, () => {
    let test: TestStore;
    let drive: Drive;
    before(async () => {
      test = await TestStore.open(kind, {
        limits: { pendingTimers: 4, pendingActivities: 3, pendingChildren: 3, pendingSignals: 2, pendingUpdates: 2 },
      });
      drive = new Drive(test);
    });
    after(async () => {
      await drive.assertClean();
      await test.close();
    });

    const signal = (runId: string, name: string, more: object = {}) =>
      sendSignal(test.store, test.settings, runId, name, more);

    it('limits what may be pending, before anything is written', async () => {
      const { run_id, task } = await drive.fresh();
      const timer = { type: 'start_timer', delay_seconds: 100 };
      await drive.refused(task, [timer, timer, timer, timer, timer], 'pending_limit_exceeded');
      await drive.refused(
        task,
        Array(4).fill({ type: 'schedule_activity', activity_type: 'a' }),
        'pending_limit_exceeded',
      );
      await drive.refused(
        task,
        Array(4).fill({ type: 'start_child_workflow', workflow_type: 'c' }),
        'pending_limit_exceeded',
      );
      await signal(run_id, 'x');
      await signal(run_id, 'x');
      await assert.rejects(signal(run_id, 'x'), code('pending_limit_exceeded'));
      await sendUpdate(test.store, test.settings, run_id, 'u');
      await sendUpdate(test.store, test.settings, run_id, 'u');
      await assert.rejects(sendUpdate(test.store, test.settings, run_id, 'u'), code('pending_limit_exceeded'));
      await drive.complete(task, [timer, timer, timer, timer]);
    });

    it('limits the documents of a run', async () => {
      const { task } = await drive.fresh();
      const big = (type: string, key: string, bytes: number) => ({ type, [key]: { a: 'x'.repeat(bytes) } });
      await drive.refused(task, [big('upsert_memo', 'entries', 262_144)], 'payload_too_large');
      await drive.refused(task, [big('upsert_search_attributes', 'attributes', 40_960)], 'payload_too_large');
      await drive.complete(task, [{ type: 'complete_workflow' }]);
    });
  });
}
