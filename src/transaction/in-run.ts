import { Refusal } from '../completion/refusal.ts';
import { Instant } from '../store/instant.ts';
import type { Store } from '../store/store.ts';
import { type Family, lockFamily, lockRuns } from './family.ts';
import { RunContext } from './run-context.ts';
import { RunState } from './run-state.ts';
import { OpenTransaction, type TransactionSettings } from './transaction.ts';

/** What a transaction on one run may touch. */
export interface InRunOptions {
  /** The run may end: its parent and children are locked with it. */
  readonly mayEnd?: boolean;
}

/**
 * One transaction on a run that does not come from a workflow task's completion: signals, timers, activities, the ends from
 * outside. Locks the run, does the work, writes what is held and what changed.
 * @throws Refusal `run_not_found`, and what the work throws.
 */
export async function inRun<T>(
  store: Store,
  settings: TransactionSettings,
  runId: string,
  options: InRunOptions,
  work: (context: RunContext) => Promise<T>,
): Promise<T> {
  return store.transaction(async tx => {
    const family: Family | undefined = options.mayEnd ? await lockFamily(tx, runId) : undefined;
    const runs = family?.runs ?? (await lockRuns(tx, [runId]));
    const row = runs.get(runId);
    if (row === undefined) throw new Refusal('run_not_found', `there is no run ${runId}`);
    const { payloadBytes } = settings.limits;
    const source = { now: Instant.now(), taskId: '', leaseOwner: '', payloadBytes };
    const open = new OpenTransaction(tx, settings, store.capabilities.maxParameters, source);
    const result = await work(new RunContext(open, new RunState(row, null), { family }));
    await open.finish();
    return result;
  });
}
