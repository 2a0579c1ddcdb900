import type { RunStatus } from '../../completion/outcome.ts';
import type { Instant } from '../../store/instant.ts';
import type { Value } from '../../store/statement.ts';
import type { RunState } from '../run-state.ts';

const mebibyte = 1_048_576n;

/**
 * Advisory history budget: a run should continue as new before its history is slow to replay.
 * Source: contract, section 5 (approaching from 8,000 events or 4 MiB, recommended from 10,000 events or 5 MiB).
 */
export function historyBudget(events: bigint, bytes: bigint): { pressure: string; recommended: boolean } {
  if (events >= 10_000n || bytes >= 5n * mebibyte) return { pressure: 'exceeded', recommended: true };
  if (events >= 8_000n || bytes >= 4n * mebibyte) return { pressure: 'approaching', recommended: false };
  return { pressure: 'none', recommended: false };
}

/** Open runs are `running`; closed ones are in the bucket of how they ended. */
export function statusBucket(status: RunStatus): 'running' | 'completed' | 'failed' {
  if (status === 'completed') return 'completed';
  return status === 'pending' || status === 'running' || status === 'waiting' ? 'running' : 'failed';
}

/** Values of `updateSummary` for a run as it now is. */
export function summaryValues(run: RunState, now: Instant): Value[] {
  const { pressure, recommended } = historyBudget(run.historyEventCount, run.historySizeBytes);
  return [
    run.status,
    statusBucket(run.status),
    run.openWait?.kind ?? null,
    run.openWait?.reason ?? null,
    run.openWait?.id ?? null,
    run.nextTaskId,
    run.historyEventCount,
    run.historySizeBytes,
    run.exceptionCount,
    recommended,
    pressure,
    now,
    run.id,
  ];
}
