import type { Piscina } from 'piscina';
import type { Settings } from '../../config/settings.ts';
import type { ReadAnswer, ReadRequest } from './read-protocol.ts';
import { createThreadPool } from './thread-pool.ts';

/** Reads in flight, each with its connection where the database has connections: people look, machines write. */
const readsAtOnce = 2;
/** Reads that may wait for the thread; one more is turned away, so that a database that hangs does not fill the memory. */
const maxWaiting = 64;

/** What the reading thread needs to know; handed over once, as plain data. */
export interface ReadThreadData {
  readonly database: Settings['database'];
  readonly connections: number;
}

/**
 * The one thread that reads for the HTTP side. The main thread renews the locks of jobs, and SQLite's reads block theirs; so no
 * read runs there. The thread starts with the first read.
 */
export class ReadPool {
  readonly #settings: Settings;
  readonly #onError: (error: Error) => void;
  #pool: Piscina | undefined;

  /** @param onError told when the thread died without a read. */
  constructor(settings: Settings, onError: (error: Error) => void) {
    this.#settings = settings;
    this.#onError = onError;
  }

  async read(request: ReadRequest): Promise<ReadAnswer> {
    this.#pool ??= this.#start();
    if (this.#pool.queueSize >= maxWaiting)
      return { kind: 'failed', code: 'too_many_reads', status: 503, message: 'too many reads wait; try again later' };
    return this.#pool.run(request) as Promise<ReadAnswer>;
  }

  #start(): Piscina {
    const { database, threadHeapMb: heapMb } = this.#settings;
    const workerData: ReadThreadData = { database, connections: readsAtOnce };
    const onError = this.#onError;
    return createThreadPool({ entry: 'read', threads: 1, tasksPerThread: readsAtOnce, heapMb, workerData, onError });
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }
}
