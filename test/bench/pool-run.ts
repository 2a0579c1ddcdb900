import type { Settings } from '../../config/settings.ts';
import { ApplyPool } from '../../src/pool/pool.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { completed } from './direct.ts';
import { inFlight, prepareCompletions } from './workload.ts';

/** Completions applied through the daemon's pool, without a queue. */
export class PoolRun {
  readonly #pool: ApplyPool;
  readonly #store: Store;

  private constructor(pool: ApplyPool, store: Store) {
    this.#pool = pool;
    this.#store = store;
  }

  static async open(settings: Settings): Promise<PoolRun> {
    const store = await openStore({ database: settings.database, connections: 8 });
    await store.migrate();
    const pool = new ApplyPool(settings, store.capabilities.singleWriter, error => {
      throw error;
    });
    await pool.ping();
    return new PoolRun(pool, store);
  }

  /** @returns completions a second. */
  async run(count: number, records: number, concurrency: number): Promise<number> {
    const completions = await prepareCompletions(this.#store, count, records);
    const jobs = completions.map(completion => JSON.stringify(completion));
    const begin = performance.now();
    await inFlight(jobs, concurrency, async data => {
      completed(await this.#pool.apply({ name: 'completion', id: 'bench', data, enqueuedAtMs: Date.now() }));
    });
    return count / ((performance.now() - begin) / 1_000);
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#store.close();
  }
}
