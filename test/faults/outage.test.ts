import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseNames, Scene, sceneKinds } from './scene.ts';

for (const kind of sceneKinds)
  describe(`a daemon on ${databaseNames[kind]} whose servers are away`, function () {
    this.timeout(600_000);
    let scene: Scene;
    beforeEach(async () => {
      scene = await Scene.open(kind);
    });
    afterEach(() => scene.close());

    it('starts without Redis, says that it is not ready, and goes on when it is there', async () => {
      await scene.redis.kill();
      const daemon = await scene.launch({});
      assert.equal(await daemon.statusOf('/readyz', 503), 503);
      assert.equal(await daemon.statusOf('/livez', 200), 200);
      await scene.load.strike();
      await scene.redis.restart();
      await scene.load.assertAllStoredOnce('started without Redis');
      assert.equal(await daemon.statusOf('/readyz', 200), 200);
    });

    if (kind === 'sqlite') return;

    it('starts without its database, says that it is not ready, and goes on when it is there', async () => {
      await scene.database?.kill();
      const daemon = await scene.launch({});
      assert.equal(await daemon.statusOf('/readyz', 503), 503);
      assert.equal(await daemon.statusOf('/livez', 200), 200);
      assert.equal(await daemon.statusOf('/', 503), 503);
      await scene.load.strike();
      await scene.database?.restart();
      await scene.load.assertAllStoredOnce('started without the database');
      assert.equal(await daemon.statusOf('/readyz', 200), 200);
    });

    it('cuts a database that hears and says nothing, and goes on when it speaks again', async () => {
      const daemon = await scene.daemon({ COMPLETIOND_DATABASE_STATEMENT_TIMEOUT_MS: '1000' });
      await scene.load.underWay(0.2);
      await scene.load.strike();
      scene.database?.suspend();
      assert.equal(await daemon.statusOf('/readyz', 503), 503);
      await sleep(7_000);
      scene.database?.resume();
      await scene.load.assertAllStoredOnce('the database silent for longer than a statement may take');
    });
  });
