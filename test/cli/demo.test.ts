import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { drawHistory } from '../../src/cli/demo/picture.ts';
import type { HistoryEvent } from '../../src/store/reads.ts';
import { runCommand, startCommand } from '../support/command-line.ts';

function recordedEvents(records: number): HistoryEvent[] {
  return Array.from({ length: records }, (_, index) => {
    const activity = { id: `a${index}`, activity_type: `step-${index}` };
    const times = { started_at: '2030-01-01T00:00:00Z', closed_at: '2030-01-01T00:00:01Z' };
    const event = { sequence: String(index), workflow_task_id: null, recorded_at: times.closed_at };
    return [
      { ...event, event_type: 'ActivityStarted', payload: { activity, activity_attempt: times } },
      {
        ...event,
        event_type: 'ActivityCompleted',
        payload: { activity: { ...activity, ...times, status: 'completed' } },
      },
    ];
  }).flat();
}

describe('the demo', function () {
  this.timeout(120_000);
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'completiond-demo-test-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }));

  it('draws the first activities of a history, and counts the others', () => {
    const lines = drawHistory(recordedEvents(999)).split('\n');
    assert.ok(lines.length < 60, `${lines.length} lines`);
    assert.ok(lines.includes('… 959 more activities'));
    assert.ok(lines.every(line => line.length < 100));
    assert.ok(!drawHistory(recordedEvents(3)).includes('more activities'));
  });

  it('tells its stories, prints the rates and leaves nothing behind', async () => {
    const { code, out, err } = await runCommand(['demo', '--runs', '2', '--records', '60', '--json'], {
      TMPDIR: directory,
    });
    assert.equal(code, 0, err);
    const { runs, records } = JSON.parse(out) as { runs: number; records: number };
    assert.deepEqual([runs, records], [2, 2 * 61]);
    assert.deepEqual(readdirSync(directory), []);
  });

  for (const [moment, waitMs] of [
    ['while it starts', 700],
    ['while it runs', 6_000],
  ] as const)
    it(`cleans up behind an interrupt ${moment}`, async () => {
      const child = startCommand(['demo', '--runs', '5000', '--records', '40'], { TMPDIR: directory });
      const said: string[] = [];
      child.stderr?.on('data', chunk => void said.push(String(chunk)));
      const exited = once(child, 'exit');
      await sleep(waitMs);
      assert.equal(readdirSync(directory).length, 1);
      child.kill('SIGINT');
      assert.deepEqual(await exited, [130, null], said.join(''));
      assert.match(said.join(''), /\ncompletiond: the demo was interrupted\n$/);
      assert.deepEqual(readdirSync(directory), []);
    });
});
