import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Settings, settingsSchema } from '../../config/settings.ts';
import type { JobTask, Verdict } from '../../src/pool/protocol.ts';
import { QueueAdmin } from '../../src/queue/admin.ts';
import { connectQueue, type QueueConnection } from '../../src/queue/connect.ts';
import { Consumer } from '../../src/queue/consumer.ts';
import { CompletionProducer } from '../../src/queue/producer.ts';
import { servers } from './servers.ts';

/** The queues that the suite runs on. */
export const queueKinds = ['embedded', 'redis', 'postgres'] as const;
export type QueueKind = (typeof queueKinds)[number];

/** A place for queues of a kind, kept open until it is closed: starting an embedded one takes seconds. */
export interface QueuePlace {
  readonly settings: Settings;
  close(): Promise<void>;
}

const random = () => Math.random().toString(36).slice(2);

export async function openQueuePlace(kind: QueueKind): Promise<QueuePlace> {
  const prefix = `t${process.pid}_${random()}`;
  const directory = mkdtempSync(join(tmpdir(), 'completiond-queue-'));
  const url = {
    embedded: async () => `embedded:${directory}/queue`,
    redis: () => servers.redisUrl(),
    postgres: () => servers.postgresUrl(),
  }[kind];
  const settings = settingsSchema.parse({
    queue: { url: await url(), prefix, lockDurationMs: 2_000, stalledIntervalMs: 500 },
    requeue: { firstDelayMs: 20, maxDelayMs: 100 },
  });
  const keeper = new QueueAdmin(await connectQueue(settings.queue, 'consumer'), true);
  await keeper.queue.waitUntilReady();
  return {
    settings,
    async close() {
      await keeper.close();
      await rm(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    },
  };
}

/** A queue with a producer and an operator's view; consumers are added by the test. All of it is closed by `close`. */
export class TestQueue {
  readonly settings: Settings;
  readonly producer: CompletionProducer;
  readonly admin: QueueAdmin;
  readonly #connection: QueueConnection;
  readonly #consumers: Consumer[] = [];

  private constructor(parts: Pick<TestQueue, 'settings' | 'producer' | 'admin'>, connection: QueueConnection) {
    this.settings = parts.settings;
    this.producer = parts.producer;
    this.admin = parts.admin;
    this.#connection = connection;
  }

  /** A queue of its own name in a place. */
  static async open(place: QueuePlace): Promise<TestQueue> {
    const settings = { ...place.settings, queue: { ...place.settings.queue, name: `q-${random()}` } };
    const connection = await connectQueue(settings.queue, 'consumer');
    const producer = await CompletionProducer.connect(settings);
    return new TestQueue({ settings, producer, admin: new QueueAdmin(connection, false) }, connection);
  }

  /** A consumer whose jobs are answered by `apply`; the tasks it saw. */
  async consume(apply: (task: JobTask) => Promise<Verdict>, requeue = this.settings.requeue): Promise<JobTask[]> {
    const seen: JobTask[] = [];
    const consumer = new Consumer({
      connection: this.#connection,
      concurrency: 4,
      jobBytes: this.settings.limits.jobBytes,
      requeue,
      apply: task => {
        seen.push(task);
        return apply(task);
      },
      onVerdict: () => undefined,
      onPutBack: () => undefined,
      onDeadLetter: () => undefined,
      onStalled: () => undefined,
      onError: () => undefined,
    });
    this.#consumers.push(consumer);
    await consumer.ready();
    return seen;
  }

  async close(): Promise<void> {
    for (const consumer of this.#consumers) await consumer.close(1_000);
    await this.producer.close();
    await this.admin.close();
    await this.#connection.close();
  }
}
