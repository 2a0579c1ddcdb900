import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { dueTasksJob } from '../pool/protocol.ts';
import type { QueueConnection } from './connect.ts';

/** What a scheduler is made with. */
export interface DueSchedulerOptions {
  readonly connection: QueueConnection;
  readonly everyMs: number;
  /** Fires what is due; may be slow. */
  readonly fire: () => Promise<void>;
  readonly onError: (error: Error) => void;
}

/**
 * Looks for due timers at a regular pace, once a queue whatever the number of replicas: a BullMQ job scheduler on a queue of
 * its own, so that its jobs are not counted among the completions.
 */
export class DueScheduler {
  readonly #queue: Queue;
  readonly #worker: Worker;
  readonly #everyMs: number;

  constructor({ connection, everyMs, fire, onError }: DueSchedulerOptions) {
    const { settings, backend, drainDelay } = connection;
    const name = `${settings.name}-due`;
    const shared = { connection: connection.connection, prefix: settings.prefix };
    this.#everyMs = everyMs;
    this.#queue = new Queue(name, shared, backend);
    const { lockDurationMs: lockDuration, stalledIntervalMs: stalledInterval, maxStalledCount } = settings;
    const options = { lockDuration, stalledInterval, maxStalledCount, drainDelay, concurrency: 1, runRetryDelay: 500 };
    this.#worker = new Worker(name, fire, { ...shared, ...options }, backend);
    this.#queue.on('error', onError);
    this.#worker.on('error', onError);
  }

  async start(): Promise<void> {
    const opts = { removeOnComplete: true, removeOnFail: true };
    await this.#queue.upsertJobScheduler(dueTasksJob, { every: this.#everyMs }, { name: dueTasksJob, opts });
  }

  /** The scheduler stays: other replicas use it, and the next start finds it. */
  async close(): Promise<void> {
    const closing = Promise.allSettled([this.#worker.close(), this.#queue.close()]);
    await Promise.race([closing, sleep(2_000, undefined, { ref: false })]);
  }
}
