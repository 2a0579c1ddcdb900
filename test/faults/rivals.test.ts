import assert from 'node:assert/strict';
import { QueueAdmin } from '../../src/queue/admin.ts';
import { CompletionProducer } from '../../src/queue/producer.ts';
import { databaseNames, Scene, sceneKinds } from './scene.ts';

for (const kind of sceneKinds)
  describe(`two daemons that have the same completions at the same moment on ${databaseNames[kind]}`, function () {
    this.timeout(600_000);
    let scene: Scene;
    beforeEach(async () => {
      scene = await Scene.open(kind);
    });
    afterEach(() => scene.close());

    it('store each of them once, and both answer', async () => {
      const { load } = scene;
      const rival = { ...load.settings, queue: { ...load.settings.queue, name: 'rival' } };
      const producer = await CompletionProducer.connect(rival);
      await producer.enqueueBulk(load.enqueued);
      await producer.close();
      await load.strike();
      await Promise.all([scene.daemon(), scene.daemon({ COMPLETIOND_QUEUE_NAME: 'rival' })]);
      await load.assertAllStoredOnce('the same completions in two daemons at once');
      assert.deepEqual(await load.settled(rival.queue), []);
      const recorded = await Promise.all(
        [load.settings, rival].map(async ({ queue }) => {
          const admin = await QueueAdmin.connect(queue);
          const jobs = await admin.queue.getJobs(['completed']);
          await admin.close();
          return jobs.map(({ returnvalue }) => returnvalue.recorded as boolean);
        }),
      );
      const answers = recorded.flat();
      assert.equal(answers.filter(Boolean).length, load.enqueued.length);
      assert.equal(answers.length, 2 * load.enqueued.length);
    });
  });
