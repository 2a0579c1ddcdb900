import assert from 'node:assert/strict';
import fc from 'fast-check';
import { refusalStatuses } from '../../src/completion/refusal.ts';
import type { Verdict } from '../../src/pool/protocol.ts';
import { failureVerdict } from '../../src/transaction/failures.ts';
import { handleJob } from '../../src/transaction/handle-job.ts';
import { Drive, type Fresh } from '../support/drive.ts';
import { spoiledCompletions } from '../support/raw-json.ts';
import { rowCounts } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

/** Texts a store; more with `FUZZ_RUNS`. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 250);

for (const kind of storeKinds)
  describe(`completions of any text on ${kind}`, function () {
    this.timeout(600_000);
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

    it('are stored or refused with a code, never a crash, and a refusal leaves nothing behind', async () => {
      let fresh: Fresh | undefined;
      let stored: Record<string, number> | undefined;
      const seen = { completed: 0, refused: 0 };
      const property = fc.asyncProperty(spoiledCompletions, async spoil => {
        fresh ??= await drive.fresh();
        const { task_id, lease_owner, workflow_task_attempt } = fresh.task;
        stored ??= await rowCounts(test.store);
        test.clear();
        const job = {
          name: 'completion',
          id: 'job',
          data: spoil({ task_id, lease_owner, workflow_task_attempt }),
          enqueuedAtMs: Date.now(),
        };
        const verdict: Verdict = await handleJob(test.store, test.settings, job).catch(failureVerdict);
        assert.ok(verdict.kind === 'completed' || verdict.kind === 'refused', JSON.stringify(verdict).slice(0, 500));
        seen[verdict.kind] += 1;
        if (verdict.kind === 'completed') {
          fresh = undefined;
          stored = undefined;
          return;
        }
        assert.ok(verdict.code in refusalStatuses && verdict.code !== 'internal_error', verdict.message);
        assert.ok(verdict.message.length > 0);
        if (test.statements.length > 0) assert.deepEqual(await rowCounts(test.store), stored);
      });
      await fc.assert(property, { numRuns, endOnFailure: true });
      assert.ok(seen.completed > 0 && seen.refused > 0, JSON.stringify(seen));
    });
  });
