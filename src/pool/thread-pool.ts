import { Piscina } from 'piscina';
import { workerUrl } from './worker-url.ts';

/** A pool of threads that run one entry. */
export interface ThreadPoolOptions {
  readonly entry: 'completion' | 'read';
  readonly threads: number;
  /** Tasks in flight in one thread. */
  readonly tasksPerThread: number;
  /** Heap of one thread, MiB. */
  readonly heapMb: number;
  /** What each thread is started with, plain data. */
  readonly workerData: unknown;
  /** Told of threads that died without a task: with nobody to listen, that would end the process. */
  readonly onError: (error: Error) => void;
}

/** Threads that are all there from the start; one that dies is replaced. */
export function createThreadPool(options: ThreadPoolOptions): Piscina {
  const { entry, threads, tasksPerThread, heapMb, workerData, onError } = options;
  const pool = new Piscina({
    filename: workerUrl(entry).href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: tasksPerThread,
    // The default stops an idle thread's event loop: sockets and timers of its database driver would freeze.
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    workerData,
  });
  return pool.on('error', onError);
}
