import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ulid } from 'ulid';
import { type Settings, settingsSchema } from '../../config/settings.ts';
import { QueueAdmin } from '../../src/queue/admin.ts';
import { type DeadLetter, listDeadLetters } from '../../src/queue/dead-letters.ts';
import { CompletionProducer } from '../../src/queue/producer.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { verify } from '../../src/store/verify.ts';
import { claimTask } from '../../src/transaction/claim-task.ts';
import { startRun } from '../../src/transaction/start-run.ts';
import { record, signalWait } from '../support/drive.ts';
import { ask } from '../support/reading.ts';
import { noteFault } from './fault-table.ts';
import { openTransactions } from './open-transactions.ts';

/** Completions a fault; more with `FAULTS_COMPLETIONS`. */
export const completions = Number(process.env.FAULTS_COMPLETIONS ?? 80);
/** Of the completion that does harm. */
export const poisonId = 'poison';
const records = 4;
/** Events of one run: two of its start, three a record, one of its wait. */
const eventsPerRun = 2 + 3 * records + 1;
const patienceMs = Number(process.env.FAULTS_PATIENCE_MS ?? 120_000);

const countReceipts = ask({ n: 'int' }, 'select count(*) as n from workflow_task_completions');
const runsTooLong = ask(
  { n: 'int' },
  `select count(*) as n from (select workflow_run_id from workflow_history_events
   group by workflow_run_id having count(*) > ?) as longer`,
);

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const deadlineMs = Date.now() + patienceMs; ; await sleep(50)) {
    const found = await look();
    if (found !== undefined) return found;
    assert.ok(Date.now() < deadlineMs, `waited in vain for ${look}`);
  }
}

/** A load of completions on a queue and a database that suffer; it ends with every one of them stored exactly once. */
export class Load {
  readonly database: string;
  readonly settings: Settings;
  readonly store: Store;
  /** Settings of its daemons, as their environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What was put into the queue. */
  enqueued: readonly object[] = [];
  #struck = { atMs: Date.now(), stored: 0 };

  private constructor(database: string, settings: Settings, store: Store, env: Readonly<Record<string, string>>) {
    this.database = database;
    this.settings = settings;
    this.store = store;
    this.env = env;
  }

  /**
   * Claimed tasks of as many runs, their completions in the queue.
   * @param poison an activity type; a completion with it, `poisonId`, is in the midst of the others.
   */
  static async prepare(database: string, databaseUrl: string, queueUrl: string, poison?: string): Promise<Load> {
    const prefix = `faults${process.pid}_${Math.random().toString(36).slice(2)}`;
    const settings = settingsSchema.parse({ database: { url: databaseUrl }, queue: { url: queueUrl, prefix } });
    const store = await openStore({ database: settings.database, connections: 4 });
    await store.migrate();
    const load = new Load(database, settings, store, {
      COMPLETIOND_DATABASE_URL: databaseUrl,
      COMPLETIOND_QUEUE_URL: queueUrl,
      COMPLETIOND_QUEUE_PREFIX: prefix,
      COMPLETIOND_QUEUE_LOCK_DURATION_MS: '2000',
      COMPLETIOND_QUEUE_STALLED_INTERVAL_MS: '500',
      COMPLETIOND_REQUEUE_MAX_DELAY_MS: '1000',
    });
    await load.#enqueue(poison);
    return load;
  }

  async #enqueue(poison: string | undefined): Promise<void> {
    const list = await Promise.all(Array.from({ length: completions }, () => this.#completion([])));
    if (poison !== undefined)
      list.splice(completions / 2, 0, { ...(await this.#completion([record(poison)])), completion_id: poisonId });
    const producer = await CompletionProducer.connect(this.settings);
    await producer.enqueueBulk(list);
    this.enqueued = list;
    await producer.close();
  }

  async #completion(special: readonly object[]): Promise<object> {
    const queue = `load-${ulid()}`;
    await startRun(this.store, { workflow_type: 'load', queue });
    const task = await claimTask(this.store, { queue, lease_owner: 'w', task_type: 'workflow', lease_seconds: 3_600 });
    assert.ok(task);
    const { task_id, lease_owner, workflow_task_attempt } = task;
    const ordinary = Array.from({ length: records - special.length }, (_, step) => record(`r${step}`));
    const commands = [...ordinary, ...special, signalWait];
    return { task_id, lease_owner, workflow_task_attempt, commands };
  }

  /** The moment of the fault: recovery is measured from here. */
  async strike(): Promise<void> {
    this.#struck = { atMs: Date.now(), stored: await this.stored() };
  }

  /** Completions stored by now; asks again while the database is away. */
  async stored(): Promise<number> {
    return (await this.store.read(countReceipts, []).catch(() => []))[0]?.n ?? 0;
  }

  /** Waits until some are stored, and not all. */
  async underWay(share: number): Promise<void> {
    while ((await this.stored()) < completions * share) await sleep(5);
  }

  /** The refusal of a completion that ends as a dead letter. */
  async refusal(completionId: string): Promise<DeadLetter> {
    const admin = await QueueAdmin.connect(this.settings.queue);
    try {
      return await eventually(async () => (await listDeadLetters(admin, { ids: [completionId] }))[0]);
    } finally {
      await admin.close();
    }
  }

  /**
   * All are stored, once each, nothing is left in the queue and no transaction open.
   * @param fault what they suffered, for the table. @param refused dead letters there are to be.
   */
  async assertAllStoredOnce(fault: string, refused = 0): Promise<void> {
    const completions = this.enqueued.length - refused;
    const recoveredMs = await this.#untilStored(completions);
    const lost = completions - (await this.stored());
    const [longer] = await this.store.read(runsTooLong, [eventsPerRun]);
    const doubled = longer?.n ?? 0;
    noteFault({ fault, database: this.database, completions, lost, doubled, recoveredMs });
    assert.deepEqual({ lost, doubled }, { lost: 0, doubled: 0 });
    assert.equal((await this.settled()).length, refused);
    await this.assertClean();
  }

  /** @returns how long after the fault the next completion was stored, in milliseconds. */
  async #untilStored(completions: number): Promise<number> {
    const deadlineMs = Date.now() + patienceMs;
    let recoveredMs: number | undefined;
    for (;;) {
      const stored = await this.stored();
      if (stored > this.#struck.stored) recoveredMs ??= Date.now() - this.#struck.atMs;
      if (stored === completions || Date.now() > deadlineMs) return recoveredMs ?? 0;
      await sleep(10);
    }
  }

  /** Waits until nothing is left to do in a queue. @returns its dead letters. */
  async settled(queue = this.settings.queue): Promise<readonly DeadLetter[]> {
    const admin = await QueueAdmin.connect(queue);
    try {
      await eventually(async () => {
        const { waiting, active, delayed } = await admin.counts();
        return waiting + active + delayed === 0 || undefined;
      });
      return await listDeadLetters(admin);
    } finally {
      await admin.close();
    }
  }

  /** What is stored breaks no rule, and nobody left a transaction open. */
  async assertClean(): Promise<void> {
    assert.deepEqual((await verify(this.store)).problems, []);
    await eventually(async () => (await openTransactions(this.settings.database.url)) === 0 || undefined);
  }

  async close(): Promise<void> {
    await this.store.close();
  }
}
