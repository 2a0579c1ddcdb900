import assert from 'node:assert/strict';
import { listRuns } from '../../src/store/reads.ts';
import { startRun } from '../../src/transaction/start-run.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

for (const kind of storeKinds) {
  describe(`the search for runs on ${kind}`, () => {
    let test: TestStore;
    before(async () => {
      test = await TestStore.open(kind);
      const types = { 'A-1': 'Order.Ship', 'b!2': 'refund_50%' };
      for (const [workflow_id, workflow_type] of Object.entries(types))
        await startRun(test.store, { workflow_type, workflow_id, queue: 'q' });
    });
    after(() => test.close());

    const found = async (search: string) =>
      (await listRuns(test.store, { search })).map(run => run.workflow_instance_id).toSorted();

    it('looks into types and ids in any case, and takes every character as it is', async () => {
      const [run] = await listRuns(test.store, { type: 'Order.Ship' });
      for (const search of ['order.', 'SHIP', 'a-1', String(run?.id).toLowerCase()])
        assert.deepEqual(await found(search), ['A-1'], search);
      for (const search of ['50%', 'D_5', 'B!2']) assert.deepEqual(await found(search), ['b!2'], search);
      for (const search of ['order_ship', '%%', '\\', "'"]) assert.deepEqual(await found(search), [], search);
      assert.deepEqual(await found(''), ['A-1', 'b!2']);
    });
  });
}
