import assert from 'node:assert/strict';
import { poisonId } from './load.ts';
import { databaseNames, Scene, sceneKinds } from './scene.ts';

const threadFaults = new URL('./thread-faults.mjs', import.meta.url).href;

/** What a completion does to its thread inside its transaction, and how it ends as a dead letter. */
const faults = {
  exit: 'worker_crashed',
  memory: 'worker_crashed',
  hang: 'worker_crashed',
  throw: 'internal_error',
} as const;

for (const kind of sceneKinds)
  describe(`a thread that fails inside a transaction on ${databaseNames[kind]}`, function () {
    this.timeout(600_000);
    let scene: Scene;
    afterEach(() => scene.close());

    it('by an uncaught error behind its COMMIT takes nothing with it, not even that completion', async () => {
      scene = await Scene.open(kind, 'fault:uncaught');
      await scene.load.strike();
      await scene.daemon({ NODE_OPTIONS: `--import=${threadFaults}` });
      await scene.load.assertAllStoredOnce('a thread ends behind a COMMIT: an uncaught error');
    });

    for (const [fault, code] of Object.entries(faults))
      it(`by ${fault} takes nothing with it, and its completion ends as ${code}`, async () => {
        scene = await Scene.open(kind, `fault:${fault}`);
        await scene.load.strike();
        await scene.daemon({
          NODE_OPTIONS: `--import=${threadFaults}`,
          COMPLETIOND_THREAD_HEAP_MB: '96',
          COMPLETIOND_DATABASE_STATEMENT_TIMEOUT_MS: '1000',
        });
        const refusal = await scene.load.refusal(poisonId);
        assert.equal(refusal.code, code, refusal.message);
        await scene.load.assertAllStoredOnce(`a thread ends inside a transaction: ${fault}`, 1);
      });
  });
