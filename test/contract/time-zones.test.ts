import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { commandList, signalWait } from '../support/drive.ts';
import { storeKinds, TestStore } from '../support/stores.ts';
import { readTimes } from '../support/times.ts';

const script = new URL('../support/time-zone-child.ts', import.meta.url).pathname;
const run = promisify(execFile);

/** What the child process prints. */
interface Printed {
  readonly run_id: string;
  readonly offset: number;
  readonly beforeMs: number;
  readonly afterMs: number;
  readonly verdict: string;
  readonly times: Record<string, string>;
}

for (const kind of storeKinds) {
  describe(`times on ${kind}`, () => {
    let test: TestStore;
    before(async () => {
      test = await TestStore.open(kind);
    });
    after(() => test.close());

    for (const [TZ, offset] of [
      ['Asia/Kolkata', -330],
      ['America/St_Johns', 210],
    ] as const)
      it(`written by a process in ${TZ} are the same moments there and here`, async function () {
        this.timeout(60_000);
        const records = commandList('retries-heartbeats-and-a-failure').slice(0, -1);
        const commands = JSON.stringify([...records, { ...signalWait, timeout_seconds: 30 }]);
        const child = ['--import', 'tsx', script, test.settings.database.url, commands];
        const { stdout } = await run(process.execPath, child, { env: { ...process.env, TZ } });
        const printed = JSON.parse(stdout) as Printed;
        // A zone with a summer time: its offset is one of two.
        assert.ok([offset, offset - 60].includes(printed.offset), `the child ran at offset ${printed.offset}`);
        assert.equal(printed.verdict, 'completed');
        const here = await readTimes(test.store, printed.run_id);
        assert.deepEqual(here, printed.times);
        const ms = (path: string) => Date.parse(here[path] ?? '');
        for (const path of [
          '.run.created_at',
          '.run.last_progress_at',
          '.tasks.0.leased_at',
          '.recorded.0.recorded_at',
        ])
          assert.ok(ms(path) >= printed.beforeMs && ms(path) <= printed.afterMs, `${path} is ${here[path]}`);
        assert.equal(ms('.tasks.0.lease_expires_at') - ms('.tasks.0.leased_at'), 60_000);
        assert.equal(ms('.run.run_deadline_at') - ms('.run.started_at'), 3_600_000);
        assert.ok(Object.keys(here).length > 60, `only ${Object.keys(here).length} times`);
      });
  });
}
