import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../config/settings.ts';
import { QueueAdmin } from '../../src/queue/admin.ts';
import { CompletionProducer } from '../../src/queue/producer.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { DaemonProcess } from '../support/daemon-process.ts';
import { prepareCompletions } from './workload.ts';

const rowAtATime = new URL('./row-at-a-time.js', import.meta.url).href;
/** USER_HZ of Linux: /proc counts CPU time in these. */
const ticksPerSecond = 100;
const pageBytes = 4_096;

/** What a batch of completions took a daemon. */
export interface DaemonRun {
  readonly completionsPerSecond: number;
  /** Node's CPU time, milliseconds a completion. */
  readonly cpuMs: number;
}

/** A daemon in a process of its own, compiled, on Redis and a database. */
export class WholeDaemon {
  readonly #daemon: DaemonProcess;
  readonly #admin: QueueAdmin;
  readonly #producer: CompletionProducer;
  readonly #store: Store;

  private constructor(daemon: DaemonProcess, admin: QueueAdmin, producer: CompletionProducer, store: Store) {
    this.#daemon = daemon;
    this.#admin = admin;
    this.#producer = producer;
    this.#store = store;
  }

  static async start(settings: Settings, isRowAtATime: boolean): Promise<WholeDaemon> {
    const store = await openStore({ database: settings.database, connections: 8 });
    await store.migrate();
    const daemon = await DaemonProcess.start({
      COMPLETIOND_DATABASE_URL: settings.database.url,
      COMPLETIOND_QUEUE_URL: settings.queue.url,
      COMPLETIOND_QUEUE_PREFIX: settings.queue.prefix,
      COMPLETIOND_THREADS: String(settings.threads),
      COMPLETIOND_CONCURRENCY: String(settings.concurrency),
      ...(isRowAtATime && { BENCH_ROW_AT_A_TIME: '1', NODE_OPTIONS: `--import=${rowAtATime}` }),
    });
    const admin = await QueueAdmin.connect(settings.queue);
    return new WholeDaemon(daemon, admin, await CompletionProducer.connect(settings), store);
  }

  /** Puts completions into the paused queue, and measures from its resuming until the last is done. */
  async run(count: number, records: number): Promise<DaemonRun> {
    const completions = await prepareCompletions(this.#store, count, records);
    await this.#admin.queue.pause();
    await this.#producer.enqueueBulk(completions);
    const cpuBefore = this.#cpuSeconds();
    const begin = performance.now();
    await this.#admin.queue.resume();
    while (await this.#isBusy()) await sleep(10);
    const seconds = (performance.now() - begin) / 1_000;
    const cpuMs = ((this.#cpuSeconds() - cpuBefore) * 1_000) / count;
    if ((await this.#admin.counts()).failed > 0) throw new Error('a completion was refused');
    return { completionsPerSecond: count / seconds, cpuMs };
  }

  /** Resident memory, bytes. */
  get memoryBytes(): number {
    return Number(this.#proc('statm').split(' ')[1]) * pageBytes;
  }

  async stop(): Promise<void> {
    await this.#daemon.stop();
    await this.#producer.close();
    await this.#admin.close();
    await this.#store.close();
  }

  async #isBusy(): Promise<boolean> {
    const counts = await this.#admin.queue.getJobCounts('waiting', 'active', 'delayed');
    return Object.values(counts).some(jobs => jobs > 0);
  }

  #cpuSeconds(): number {
    const fields = this.#proc('stat')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }

  #proc(name: string): string {
    return readFileSync(`/proc/${this.#daemon.pid}/${name}`, 'utf8');
  }
}
