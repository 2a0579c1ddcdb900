import assert from 'node:assert/strict';
import { RecentCompletions } from '../../src/daemon/recent-completions.ts';
import { RecentRefusals } from '../../src/daemon/recent-refusals.ts';
import type { JobTask, Verdict } from '../../src/pool/protocol.ts';

describe('the completions of the last minutes', () => {
  const startMs = 1_700_000_000_000;

  it('are counted by whole seconds, with the percentiles of their times', () => {
    const recent = new RecentCompletions(startMs);
    for (let n = 1; n <= 100; n += 1) recent.note(n, startMs + n);
    recent.note(7, startMs + 2_500);
    const series = recent.series(startMs + 3_000);
    assert.deepEqual(series.seconds.slice(-3), [1_700_000_000, 1_700_000_001, 1_700_000_002]);
    assert.deepEqual(series.completions.slice(-3), [100, 0, 1]);
    assert.deepEqual(series.lock_ms_p50.slice(-3), [50, null, 7]);
    assert.deepEqual(series.lock_ms_p99.slice(-3), [99, null, 7]);
    assert.equal(new Set(Object.values(series).map(column => column.length)).size, 1);
  });

  it('do not show the second that still runs', () => {
    const recent = new RecentCompletions(startMs);
    recent.note(1, startMs);
    assert.equal(recent.series(startMs + 999).completions.at(-1), 0);
    assert.equal(recent.series(startMs + 1_000).completions.at(-1), 1);
  });

  it('are forgotten after five minutes', () => {
    const recent = new RecentCompletions(startMs);
    recent.note(1, startMs);
    const sum = (nowMs: number) => recent.series(nowMs).completions.reduce((total, count) => total + count, 0);
    assert.deepEqual([sum(startMs + 300_000), sum(startMs + 301_000), sum(startMs)], [1, 0, 0]);
  });
});

describe('the last refusals', () => {
  const task = (id: string): JobTask => ({ name: 'completion', id, data: '{}', enqueuedAtMs: 0 });
  const refused: Verdict = { kind: 'refused', code: 'lease_expired', status: 409, message: 'too late' };

  it('are few, newest first, each job once', () => {
    const recent = new RecentRefusals();
    for (let n = 0; n < 30; n += 1) recent.note(task(`job-${n}`), refused);
    recent.note(task('job-25'), refused);
    assert.deepEqual(
      recent.list.slice(0, 3).map(({ job_id }) => job_id),
      ['job-25', 'job-29', 'job-28'],
    );
    assert.equal(recent.list.length, 10);
  });

  it('leave a job out when it was completed after all', () => {
    const recent = new RecentRefusals();
    recent.note(task('a'), refused);
    recent.note(task('a'), { kind: 'requeue', class: 'deadlock', message: '' });
    assert.equal(recent.list.length, 1);
    recent.note(task('a'), { kind: 'completed' } as Verdict);
    assert.equal(recent.list.length, 0);
  });
});
