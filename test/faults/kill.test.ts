import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseNames, Scene, sceneKinds } from './scene.ts';

for (const kind of sceneKinds) {
  describe(`under load on ${databaseNames[kind]}, every completion is stored exactly once`, function () {
    this.timeout(600_000);
    let scene: Scene;
    beforeEach(async () => {
      scene = await Scene.open(kind);
    });
    afterEach(() => scene.close());

    it('when the daemon is killed again and again', async () => {
      for (const share of [0.1, 0.4, 0.7]) {
        const daemon = await scene.daemon();
        await scene.load.underWay(share);
        await daemon.kill();
        await scene.load.strike();
      }
      await scene.daemon();
      await scene.load.assertAllStoredOnce('SIGKILL of the daemon, three times');
    });

    it('when one of three replicas is killed and one is drained', async () => {
      const [killed, drained] = [await scene.daemon(), await scene.daemon(), await scene.daemon()];
      await scene.load.underWay(0.2);
      await killed.kill();
      await scene.load.strike();
      assert.equal(await drained.stop(), 0);
      await scene.load.assertAllStoredOnce('one of three replicas killed, one drained');
    });

    it('when a replica is suspended until the others took its jobs back, and then goes on', async () => {
      const [suspended] = [await scene.daemon(), await scene.daemon()];
      await scene.load.underWay(0.2);
      suspended.signal('SIGSTOP');
      await scene.load.strike();
      await scene.load.underWay(0.9);
      suspended.signal('SIGCONT');
      await scene.load.assertAllStoredOnce('a replica suspended, and back when others have its jobs');
    });

    it('when Redis is killed and comes back', async () => {
      await scene.daemon();
      await scene.load.underWay(0.2);
      await scene.redis.kill();
      await scene.load.strike();
      await sleep(1_000);
      await scene.redis.restart();
      await scene.load.assertAllStoredOnce('SIGKILL of Redis (appendonly), back after 1 s');
    });

    if (kind === 'sqlite') return;

    it('when the database is killed and comes back, and the daemon says that it is not ready', async () => {
      const daemon = await scene.daemon();
      await scene.load.underWay(0.2);
      await scene.database?.kill();
      await scene.load.strike();
      assert.equal(await daemon.statusOf('/readyz', 503), 503);
      assert.equal(await daemon.statusOf('/livez', 200), 200);
      await scene.database?.restart();
      await scene.load.assertAllStoredOnce('SIGKILL of the database, back after it was noticed');
      assert.equal(await daemon.statusOf('/readyz', 200), 200);
    });
  });
}
