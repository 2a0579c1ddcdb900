import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { connectQueue, type QueueConnection, type QueueRole, type QueueSettings } from './connect.ts';
import { within } from './queue-error.ts';

const answerMs = 10_000;

/** Jobs by state, and the age of the oldest that waits. */
export interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
  readonly completed: number;
  /** Milliseconds; null when nothing waits. */
  readonly oldest_waiting_ms: number | null;
}

/** The queue as operators see it: counts, and the jobs themselves. */
export class QueueAdmin {
  readonly queue: Queue;
  readonly #connection: QueueConnection;
  readonly #owns: boolean;

  constructor(connection: QueueConnection, owns: boolean) {
    this.#connection = connection;
    this.#owns = owns;
    const { name, prefix } = connection.settings;
    this.queue = new Queue(name, { connection: connection.connection, prefix }, connection.backend);
    this.queue.on('error', () => undefined);
  }

  static async connect(settings: QueueSettings, role: QueueRole = 'producer'): Promise<QueueAdmin> {
    const admin = new QueueAdmin(await connectQueue(settings, role), true);
    try {
      await within(answerMs, 'connect', admin.queue.waitUntilReady());
    } catch (error) {
      await admin.close();
      throw error;
    }
    return admin;
  }

  async counts(): Promise<QueueCounts> {
    const [counts, [oldest]] = await within(
      answerMs,
      'count',
      Promise.all([
        this.queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed', 'completed'),
        this.queue.getJobs(['waiting'], 0, 0, true),
      ]),
    );
    const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0, completed = 0 } = counts;
    const oldest_waiting_ms = oldest ? Math.max(0, Date.now() - oldest.timestamp) : null;
    return { waiting: waiting + prioritized, active, delayed, failed, completed, oldest_waiting_ms };
  }

  async close(): Promise<void> {
    await Promise.race([this.queue.close(), sleep(2_000, undefined, { ref: false })]);
    if (this.#owns) await this.#connection.close();
  }
}
