import assert from 'node:assert/strict';
import { FaultWire } from './fault-wire.ts';
import { databaseNames, Scene } from './scene.ts';
import { type PointName, strikePoint } from './strike-points.ts';

const points: readonly PointName[] = ['before COMMIT', 'between COMMIT and the acknowledgement'];

for (const kind of ['postgres', 'mariadb'] as const) {
  describe(`a connection to ${databaseNames[kind]} that is cut again and again`, function () {
    this.timeout(600_000);
    let scene: Scene;
    beforeEach(async () => {
      scene = await Scene.open(kind);
    });
    afterEach(() => scene.close());

    for (const point of points)
      it(`${point} loses no completion and stores none twice`, async () => {
        const wire = await FaultWire.open(scene.databaseUrl, {
          at: strikePoint(kind, point),
          every: 5,
          onStrike: client => client.destroy(),
        });
        await scene.load.strike();
        await scene.daemon({
          COMPLETIOND_DATABASE_URL: wire.urlOf(scene.databaseUrl),
          COMPLETIOND_DATABASE_NAMED_STATEMENTS: 'false',
        });
        await scene.load.assertAllStoredOnce(`the connection cut ${point}, every fifth time`);
        assert.ok(wire.strikes > 5, `${wire.strikes} strikes`);
        await wire.close();
      });
  });
}
