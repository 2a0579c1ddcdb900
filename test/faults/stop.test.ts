import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseNames, Scene, sceneKinds } from './scene.ts';

const graceMs = 2_000;
/** Behind the grace time a stop that hangs ends by itself. */
const hardDeadlineMs = graceMs + 5_000 + 2_000;

for (const kind of sceneKinds)
  describe(`a daemon that is told to stop under load on ${databaseNames[kind]}`, function () {
    this.timeout(600_000);
    let scene: Scene;
    beforeEach(async () => {
      scene = await Scene.open(kind);
    });
    afterEach(() => scene.close());

    const busy = async () => {
      const daemon = await scene.daemon({ COMPLETIOND_SHUTDOWN_GRACE_MS: String(graceMs) });
      await scene.load.underWay(0.2);
      return daemon;
    };

    it('finishes what runs, exits with 0, and leaves the rest to the next', async () => {
      const daemon = await busy();
      assert.equal(await daemon.stop(), 0);
      await scene.load.strike();
      await scene.daemon();
      await scene.load.assertAllStoredOnce('SIGTERM under load');
    });

    it('stops in time when Redis is gone', async () => {
      const daemon = await busy();
      await scene.redis.kill();
      const begin = Date.now();
      assert.equal(await daemon.stop(), 0);
      assert.ok(Date.now() - begin < hardDeadlineMs);
      await scene.load.strike();
      await scene.redis.restart();
      await scene.daemon();
      await scene.load.assertAllStoredOnce('SIGTERM while Redis is gone');
    });

    it('ends at once at a second signal', async () => {
      const daemon = await busy();
      await scene.redis.kill();
      daemon.signal('SIGTERM');
      await sleep(100);
      assert.equal(await daemon.stop(), 1);
      await scene.redis.restart();
      await scene.daemon();
      await scene.load.assertAllStoredOnce('a second SIGTERM while Redis is gone');
    });

    if (kind === 'sqlite') return;

    it('stops in time when the database is gone', async () => {
      const daemon = await busy();
      await scene.database?.kill();
      const begin = Date.now();
      assert.equal(await daemon.stop(), 0);
      assert.ok(Date.now() - begin < hardDeadlineMs);
      await scene.load.strike();
      await scene.database?.restart();
      await scene.daemon();
      await scene.load.assertAllStoredOnce('SIGTERM while the database is gone');
    });

    it('stops in time when the database hears and says nothing', async () => {
      const daemon = await busy();
      scene.database?.suspend();
      const begin = Date.now();
      await daemon.stop();
      assert.ok(Date.now() - begin < hardDeadlineMs);
      scene.database?.resume();
      await scene.load.strike();
      await scene.daemon();
      await scene.load.assertAllStoredOnce('SIGTERM while the database is silent');
    });
  });
