import type { Piscina } from 'piscina';
import type { Settings } from '../../config/settings.ts';
import { beatIntervalMs, Heartbeats } from './heartbeats.ts';
import type { JobTask, PingAnswer, ThreadRequest, Verdict } from './protocol.ts';
import { Silence } from './silence.ts';
import { createThreadPool } from './thread-pool.ts';

/** What a thread needs to know; handed over once, as plain data. */
export interface ThreadData {
  readonly settings: Settings;
  /** Completions in flight in one thread; also its database connections for writing. */
  readonly connections: number;
  /** Where the thread gives its signs of life. */
  readonly heartbeats: SharedArrayBuffer;
}

/** A statement that blocks its thread (SQLite's do) ends at the statement's time limit; this much later the thread hangs. */
const hangGraceMs = 5_000;

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

/** The worker threads that apply jobs. A rejection of `apply` means that the job's thread died. */
export class ApplyPool {
  readonly layout: PoolLayout;
  readonly #settings: Settings;
  readonly #onError: (error: Error) => void;
  readonly #heartbeats = new Heartbeats();
  readonly #silence: Silence;
  readonly #watch: NodeJS.Timeout;
  readonly #pool: Piscina;
  /** One thread, one job at a time, for jobs whose thread died before. */
  #quarantine: Piscina | undefined;

  /** @param onError told of threads that died without a job, and of those that were ended because they hung. */
  constructor(settings: Settings, singleWriter: boolean, onError: (error: Error) => void) {
    this.#settings = settings;
    this.#onError = onError;
    this.layout = poolLayout(settings, singleWriter);
    this.#pool = this.#create(this.layout);
    this.#silence = new Silence(this.#heartbeats, settings.database.statementTimeoutMs + hangGraceMs);
    this.#watch = setInterval(() => this.#endHung(), beatIntervalMs).unref();
  }

  apply(job: JobTask): Promise<Verdict> {
    if (job.alone) this.#quarantine ??= this.#create({ threads: 1, tasksPerThread: 1 });
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
    clearInterval(this.#watch);
    await Promise.all([this.#pool.destroy(), this.#quarantine?.destroy()]);
  }

  #create({ threads, tasksPerThread }: PoolLayout): Piscina {
    const { memory } = this.#heartbeats;
    const workerData: ThreadData = { settings: this.#settings, connections: tasksPerThread, heartbeats: memory };
    const { threadHeapMb: heapMb } = this.#settings;
    return createThreadPool({
      entry: 'completion',
      threads,
      tasksPerThread,
      heapMb,
      workerData,
      onError: this.#onError,
    });
  }

  /** A thread that computes without end is replaced; its jobs are answered as those of a thread that died. */
  #endHung(): void {
    const threads = [this.#pool, this.#quarantine].flatMap(pool => pool?.threads ?? []);
    const hung = new Set(this.#silence.look(threads.map(({ threadId }) => threadId)));
    for (const thread of threads.filter(({ threadId }) => hung.has(threadId))) {
      this.#onError(new Error(`thread ${thread.threadId} gave no sign of life and is ended`));
      void thread.terminate();
    }
  }
}
