import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEndpoint } from '../../src/queue/embedded-server.ts';
import { DaemonProcess } from '../support/daemon-process.ts';
import { Load } from './load.ts';

describe('under load on the embedded queue, every completion is stored exactly once', function () {
  this.timeout(600_000);
  let directory: string;
  let load: Load;
  let daemon: DaemonProcess;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'completiond-embedded-'));
    load = await Load.prepare('SQLite', `sqlite:${directory}/t.db`, `embedded:${directory}/queue`);
    daemon = await DaemonProcess.start(load.env);
  });
  afterEach(async () => {
    await daemon.kill();
    await load.close();
    // The queue's server ends by itself when nobody is connected any more.
    rmSync(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  });

  it('when its server is killed, which the daemon starts again', async () => {
    await load.underWay(0.3);
    process.kill(readEndpoint(`${directory}/queue`)?.pid ?? 0, 'SIGKILL');
    await load.strike();
    await load.assertAllStoredOnce('SIGKILL of the embedded queue');
  });
});
