import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Settings, settingsSchema } from '../../config/settings.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { claimTask } from '../../src/transaction/claim-task.ts';
import { handleJob } from '../../src/transaction/handle-job.ts';
import { startRun } from '../../src/transaction/start-run.ts';
import { assertOneLine, type Environment, runCommand, startCommand } from '../support/command-line.ts';

interface Document {
  readonly run_id: string;
  readonly events: readonly { readonly sequence: string }[];
  readonly next: string | null;
}

const payloadBytes = 102_400;
const sideEffects = 900;
/** Far less than the history's 92 MB, and enough for a page of it. */
const heapMb = 64;

describe('what the command line reads', function () {
  this.timeout(120_000);
  let directory: string;
  let env: Environment;
  let store: Store;
  let settings: Settings;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'completiond-reading-'));
    env = { COMPLETIOND_DATABASE_URL: `sqlite:${directory}/t.db` };
    settings = settingsSchema.parse({ database: { url: env.COMPLETIOND_DATABASE_URL } });
    store = await openStore({ database: settings.database, connections: 1 });
    await store.migrate();
  });
  after(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });

  /** A run with a number of side effects, whatever the limits say. */
  async function runWith(count: number, bytes: number): Promise<string> {
    const queue = `q${Math.random()}`;
    const { run_id } = await startRun(store, { workflow_type: 't', queue });
    const task = await claimTask(store, { queue, lease_owner: 'w', task_type: 'workflow', lease_seconds: 60 });
    assert.ok(task);
    const { task_id, lease_owner, workflow_task_attempt } = task;
    const commands = Array.from({ length: count }, () => ({ type: 'record_side_effect', result: 'x'.repeat(bytes) }));
    const data = JSON.stringify({ task_id, lease_owner, workflow_task_attempt, commands });
    const limits = { ...settings.limits, completionBytes: 1_000_000_000 };
    const job = { name: 'completion', id: 'j', data, enqueuedAtMs: Date.now() };
    assert.equal((await handleJob(store, { ...settings, limits }, job)).kind, 'completed');
    return run_id;
  }

  it('is refused with one line for a run that is not there', async () => {
    for (const args of [
      ['history', 'NONE'],
      ['history', 'NONE', '--after', '7'],
      ['history', 'NONE', '--after', '7', '--json'],
      ['activities', 'NONE'],
      ['runs', 'show', 'NONE'],
      ['verify', 'NONE'],
      ['verify', 'NONE', '--json'],
    ]) {
      const ran = await runCommand(args, env);
      assertOneLine(ran, 1, args.join(' '));
      assert.match(ran.err, /run_not_found: there is no run NONE/);
    }
  });

  it('is a history page by page: whole, behind an event, and up to a limit', async () => {
    const runId = await runWith(250, 10);
    const read = async (...args: string[]) => {
      const { code, out, err } = await runCommand(['history', runId, '--json', ...args], env);
      assert.equal(code, 0, err);
      const { run_id, events, next } = JSON.parse(out) as Document;
      assert.equal(run_id, runId);
      const [first, last] = [events[0]?.sequence, events.at(-1)?.sequence];
      return [first, last, events.length, next];
    };
    assert.deepEqual(await read(), ['1', '252', 252, null]);
    assert.deepEqual(await read('--after', '101'), ['102', '252', 151, null]);
    assert.deepEqual(await read('--limit', '130'), ['1', '130', 130, '130']);
    assert.deepEqual(await read('--after', '2', '--limit', '250'), ['3', '252', 250, null]);
    assert.deepEqual(await read('--after', '252'), [undefined, undefined, 0, null]);
    const { out } = await runCommand(['history', runId], env);
    assert.match(out, /^sequence {2}recorded .*\n {7}1 {2}\S+Z {2}StartAccepted\n/);
    assert.equal(out.trimEnd().split('\n').length, 253);
  });

  it('is one run, audited', async () => {
    const runId = await runWith(1, 1);
    assert.deepEqual(JSON.parse((await runCommand(['verify', runId, '--json'], env)).out), { runs: 1, problems: [] });
    assert.equal((await runCommand(['verify', runId], env)).out, '1 run, nothing wrong\n');
  });

  it('is a history of any size in the memory of a page, and ends quietly when its reader has seen enough', async () => {
    const runId = await runWith(sideEffects, payloadBytes);
    const { code, out, err } = await runCommand(['history', runId, '--json'], env, [`--max-old-space-size=${heapMb}`]);
    assert.equal(code, 0, err.slice(-500));
    assert.equal((JSON.parse(out) as Document).events.length, sideEffects + 2);

    const child = startCommand(['history', runId, '--json'], env);
    const { stdout, stderr } = child;
    assert.ok(stdout && stderr);
    const said = text(stderr);
    const exited = once(child, 'exit');
    await once(stdout, 'data');
    stdout.destroy();
    assert.deepEqual([(await exited)[0], await said], [0, '']);
  });
});
