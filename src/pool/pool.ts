import { Piscina } from 'piscina';
import type { Settings } from '../../config/settings.ts';
import type { JobTask, PingAnswer, ThreadRequest, Verdict } from './protocol.ts';
import { workerUrl } from './worker-url.ts';

/** What a thread needs to know; handed over once, as plain data. */
export interface ThreadData {
  readonly settings: Settings;
  /** Completions in flight in one thread; also its database connections for writing. */
  readonly connections: number;
}

/** How the pool is laid out. */
export interface PoolLayout {
  readonly threads: number;
  readonly tasksPerThread: number;
}

/** Threads and completions in flight in each; a database with a single writer gets one thread and one at a time. */
export function poolLayout(settings: Settings, singleWriter: boolean): PoolLayout {
  if (singleWriter) return { threads: 1, tasksPerThread: 1 };
  const threads = Math.min(settings.threads, settings.concurrency);
  return { threads, tasksPerThread: Math.ceil(settings.concurrency / threads) };
}

function createPool(settings: Settings, { threads, tasksPerThread }: PoolLayout): Piscina {
  const workerData: ThreadData = { settings, connections: tasksPerThread };
  return new Piscina({
    filename: workerUrl('completion').href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: tasksPerThread,
    // The default stops an idle thread's event loop: sockets and timers of its database driver would freeze.
    atomics: 'disabled',
    workerData,
  });
}

/** The worker threads that apply jobs. A rejection of `apply` means that the job's thread died. */
export class ApplyPool {
  readonly layout: PoolLayout;
  readonly #settings: Settings;
  readonly #pool: Piscina;
  /** One thread, one job at a time, for jobs whose thread died before. */
  #quarantine: Piscina | undefined;

  constructor(settings: Settings, singleWriter: boolean) {
    this.#settings = settings;
    this.layout = poolLayout(settings, singleWriter);
    this.#pool = createPool(settings, this.layout);
  }

  apply(job: JobTask): Promise<Verdict> {
    if (job.alone) this.#quarantine ??= createPool(this.#settings, { threads: 1, tasksPerThread: 1 });
    const pool = job.alone && this.#quarantine ? this.#quarantine : this.#pool;
    return pool.run({ kind: 'job', job } satisfies ThreadRequest) as Promise<Verdict>;
  }

  ping(): Promise<PingAnswer> {
    return this.#pool.run({ kind: 'ping' } satisfies ThreadRequest) as Promise<PingAnswer>;
  }

  /** Share of the pool's threads that are busy, 0 to 1. */
  get utilization(): number {
    return this.#pool.utilization;
  }

  get waiting(): number {
    return this.#pool.queueSize;
  }

  /** Ends the threads; what they still do is rolled back by their databases. */
  async close(): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#quarantine?.destroy()]);
  }
}
