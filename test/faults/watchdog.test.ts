import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Scene } from './scene.ts';

const standStill = new URL('./stand-still.mjs', import.meta.url).href;
const env = { COMPLETIOND_WATCHDOG_MS: '1500', NODE_OPTIONS: `--import=${standStill}` };

describe('the watchdog', function () {
  this.timeout(600_000);
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.open('sqlite');
  });
  afterEach(() => scene.close());

  it('ends a daemon whose event loop stands still, and the next one goes on', async () => {
    const daemon = await scene.daemon(env);
    await scene.load.underWay(0.2);
    daemon.signal('SIGUSR2');
    await scene.load.strike();
    assert.equal(await daemon.exited, null);
    assert.match(daemon.log, /"msg":"the event loop stood still for 1500 ms"/);
    await scene.daemon();
    await scene.load.assertAllStoredOnce("the daemon's event loop stands still");
  });

  it('leaves a daemon alone that was suspended as a whole', async () => {
    const daemon = await scene.daemon(env);
    daemon.signal('SIGSTOP');
    await sleep(4_000);
    daemon.signal('SIGCONT');
    await sleep(2_000);
    assert.equal(await daemon.statusOf('/livez', 200), 200);
    await scene.load.assertAllStoredOnce('the daemon suspended for 4 s');
    assert.equal(await daemon.stop(), 0);
  });
});
