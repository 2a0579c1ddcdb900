import type { Settings } from '../../config/settings.ts';
import type { Verdict } from '../../src/pool/protocol.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { handleJob } from '../../src/transaction/handle-job.ts';
import { rowAtATime } from './row-at-a-time.ts';
import { figureOf } from './series.ts';
import { inFlight, prepareCompletions } from './workload.ts';

/** How rows are written: as the product does, or as it is compared with. */
export type Writer = 'product' | 'row at a time' | 'row at a time, one range';

/** What a batch of completions took. */
export interface DirectRun {
  /** Median time under the run's lock, milliseconds. */
  readonly lockMs: number;
  readonly completionsPerSecond: number;
  /** Median statements of a completion, begin and commit counted. */
  readonly statements: number;
}

/** Completions applied on this thread, without queue and pool. */
export class Direct {
  readonly #settings: Settings;
  readonly #store: Store;

  private constructor(settings: Settings, store: Store) {
    this.#settings = settings;
    this.#store = store;
  }

  static async open(settings: Settings, connections: number): Promise<Direct> {
    const store = await openStore({ database: settings.database, connections });
    await store.migrate();
    return new Direct(settings, store);
  }

  get store(): Store {
    return this.#store;
  }

  /** Applies completions that are made before the clock starts. */
  async run(count: number, records: number, concurrency: number, writer: Writer): Promise<DirectRun> {
    return this.apply(await prepareCompletions(this.#store, count, records), concurrency, writer);
  }

  /** Applies completions of claimed tasks. */
  async apply(completions: readonly object[], concurrency: number, writer: Writer = 'product'): Promise<DirectRun> {
    const jobs = completions.map(completion => ({
      name: 'completion',
      id: 'bench',
      data: JSON.stringify(completion),
      enqueuedAtMs: Date.now(),
    }));
    const lockMs: number[] = [];
    const statements: number[] = [];
    rowAtATime(writer !== 'product', writer === 'row at a time, one range');
    const begin = performance.now();
    await inFlight(jobs, concurrency, async job => {
      const { stats } = completed(await handleJob(this.#store, this.#settings, job));
      lockMs.push(stats.lockMs);
      statements.push(stats.statements);
    });
    const seconds = (performance.now() - begin) / 1_000;
    rowAtATime(false);
    return {
      lockMs: figureOf(lockMs).median,
      completionsPerSecond: jobs.length / seconds,
      statements: figureOf(statements).median,
    };
  }

  async close(): Promise<void> {
    await this.#store.close();
  }
}

/** The verdict of a completion that was stored; anything else ends the benchmark. */
export function completed(verdict: Verdict): Extract<Verdict, { kind: 'completed' }> {
  if (verdict.kind !== 'completed') throw new Error(`a completion was not stored: ${JSON.stringify(verdict)}`);
  return verdict;
}
