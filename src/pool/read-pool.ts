import { Piscina } from 'piscina';
import type { Settings } from '../../config/settings.ts';
import type { ReadAnswer, ReadRequest } from './read-protocol.ts';
import { workerUrl } from './worker-url.ts';

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
  readonly #database: Settings['database'];
  #pool: Piscina | undefined;

  constructor(database: Settings['database']) {
    this.#database = database;
  }

  async read(request: ReadRequest): Promise<ReadAnswer> {
    this.#pool ??= this.#start();
    if (this.#pool.queueSize >= maxWaiting)
      return { kind: 'failed', code: 'too_many_reads', status: 503, message: 'too many reads wait; try again later' };
    return this.#pool.run(request) as Promise<ReadAnswer>;
  }

  #start(): Piscina {
    const workerData: ReadThreadData = { database: this.#database, connections: readsAtOnce };
    return new Piscina({
      filename: workerUrl('read').href,
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: readsAtOnce,
      // As in the pool that writes: a thread that sleeps between tasks would freeze its driver's sockets.
      atomics: 'disabled',
      workerData,
    });
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }
}
