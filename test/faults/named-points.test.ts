import assert from 'node:assert/strict';
import type { DaemonProcess } from '../support/daemon-process.ts';
import { FaultWire } from './fault-wire.ts';
import { databaseNames, Scene, sceneKinds } from './scene.ts';
import { type PointName, pointNames, strikePoint } from './strike-points.ts';

/** Transactions that pass before the daemon is killed. */
const passed = 7;
const sqliteKill = new URL('./sqlite-kill.mjs', import.meta.url).href;

for (const kind of sceneKinds) {
  describe(`a daemon that is killed inside a transaction on ${databaseNames[kind]}`, function () {
    this.timeout(600_000);
    let scene: Scene;
    beforeEach(async () => {
      scene = await Scene.open(kind);
    });
    afterEach(() => scene.close());

    async function killedByPreload(point: PointName): Promise<{ daemon: DaemonProcess; wire?: FaultWire }> {
      const env = { NODE_OPTIONS: `--import=${sqliteKill}`, FAULT_POINT: point, FAULT_AFTER: String(passed) };
      return { daemon: await scene.launch(env) };
    }

    async function killedOnWire(server: 'postgres' | 'mariadb', point: PointName) {
      let doomed: DaemonProcess | undefined;
      const onStrike = () => doomed?.signal('SIGKILL');
      const wire = await FaultWire.open(scene.databaseUrl, { at: strikePoint(server, point), every: passed, onStrike });
      doomed = await scene.launch({
        COMPLETIOND_DATABASE_URL: wire.urlOf(scene.databaseUrl),
        COMPLETIOND_DATABASE_NAMED_STATEMENTS: 'false',
      });
      return { daemon: doomed, wire };
    }

    for (const point of pointNames)
      it(`${point} leaves every completion stored exactly once`, async () => {
        const { wire, daemon } = await (kind === 'sqlite' ? killedByPreload(point) : killedOnWire(kind, point));
        assert.equal(await daemon.exited, null);
        await scene.load.strike();
        await scene.daemon();
        await scene.load.assertAllStoredOnce(`SIGKILL ${point}`);
        await wire?.close();
      });
  });
}
