import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Settings, settingsSchema } from '../../config/settings.ts';
import type { QueueSettings } from '../../src/queue/connect.ts';
import { CompletionProducer } from '../../src/queue/producer.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { verify } from '../../src/store/verify.ts';
import { type ClaimedTask, claimTask } from '../../src/transaction/claim-task.ts';
import { startRun } from '../../src/transaction/start-run.ts';
import { DaemonProcess } from './daemon-process.ts';
import { servers } from './servers.ts';

/** How a place differs from the usual one: SQLite, and a queue on the run's Redis. */
export interface PlaceOptions {
  readonly queueUrl?: (directory: string) => string | Promise<string>;
  readonly token?: string;
  /** More of the daemon's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A run's claimed task: what a completion of it begins with. */
export interface Claimed {
  readonly run_id: string;
  readonly envelope: Pick<ClaimedTask, 'task_id' | 'lease_owner' | 'workflow_task_attempt'>;
}

/** A compiled daemon in a process of its own with a database and a queue of its own, and a worker's and a client's ways to it. */
export class DaemonPlace {
  readonly settings: Settings;
  readonly daemon: DaemonProcess;
  readonly producer: CompletionProducer;
  readonly store: Store;
  readonly #directory: string;

  private constructor(parts: Pick<DaemonPlace, 'settings' | 'daemon' | 'producer' | 'store'>, directory: string) {
    this.settings = parts.settings;
    this.daemon = parts.daemon;
    this.producer = parts.producer;
    this.store = parts.store;
    this.#directory = directory;
  }

  static async open({ queueUrl = () => servers.redisUrl(), token, env }: PlaceOptions = {}): Promise<DaemonPlace> {
    const directory = mkdtempSync(join(tmpdir(), 'completiond-place-'));
    const prefix = `place${process.pid}_${Math.random().toString(36).slice(2)}`;
    const queue: Partial<QueueSettings> = { url: await queueUrl(directory), prefix };
    const settings = settingsSchema.parse({ database: { url: `sqlite:${directory}/t.db` }, queue });
    const daemon = await DaemonProcess.start({
      COMPLETIOND_DATABASE_URL: settings.database.url,
      COMPLETIOND_QUEUE_URL: settings.queue.url,
      COMPLETIOND_QUEUE_PREFIX: prefix,
      COMPLETIOND_LOG_LEVEL: 'error',
      ...(token !== undefined && { COMPLETIOND_HTTP_TOKEN: token }),
      ...env,
    });
    const producer = await CompletionProducer.connect(settings);
    const store = await openStore({ database: settings.database, connections: 1 });
    return new DaemonPlace({ settings, daemon, producer, store }, directory);
  }

  /** Claims the next task of a queue. */
  async claim(queue: string, leaseSeconds = 600): Promise<Claimed> {
    const request = { queue, lease_owner: 'w', task_type: 'workflow', lease_seconds: leaseSeconds } as const;
    const task = await claimTask(this.store, request);
    assert.ok(task, `a task of ${queue}`);
    const { task_id, lease_owner, workflow_task_attempt } = task;
    return { run_id: task.run_id, envelope: { task_id, lease_owner, workflow_task_attempt } };
  }

  /** Starts a run whose queue and type have one name, and claims its first task. */
  async fresh(name: string, leaseSeconds?: number): Promise<Claimed> {
    await startRun(this.store, { workflow_type: name, queue: name });
    return this.claim(name, leaseSeconds);
  }

  /** A run with one completion; its id. */
  async completed(name: string, commands: readonly object[]): Promise<string> {
    const { run_id, envelope } = await this.fresh(name);
    await this.producer.enqueueAndWait({ ...envelope, commands });
    return run_id;
  }

  /** What is stored is sound, and the daemon ends in good order. */
  async close(): Promise<void> {
    assert.deepEqual((await verify(this.store)).problems, []);
    await this.producer.close();
    await this.store.close();
    assert.equal(await this.daemon.stop(), 0);
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
}
