import { Worker } from 'node:worker_threads';
import { beatIntervalMs, Heartbeats } from '../pool/heartbeats.ts';
import { workerUrl } from '../pool/worker-url.ts';

/** What a watchdog watches beside the event loop. */
export interface WatchdogOptions {
  /** How long the daemon may be wedged, in milliseconds. */
  readonly limitMs: number;
  /** What keeps the daemon from being live; empty when nothing does. */
  readonly problems: () => readonly string[];
  /** Called when there were problems for longer than the limit: the process should end. */
  readonly onWedged: (problems: readonly string[]) => void;
}

/**
 * Ends a daemon that is wedged, so that whoever runs it starts another: jobs are safe, the next daemon finds them. A thread of
 * its own watches the main thread's event loop and kills the process when it stands still; what `/livez` complains of is looked
 * at from here.
 */
export class Watchdog {
  readonly #worker: Worker;
  readonly #timers: readonly NodeJS.Timeout[];

  constructor({ limitMs, problems, onWedged }: WatchdogOptions) {
    const heartbeats = new Heartbeats();
    this.#worker = new Worker(workerUrl('watchdog'), { workerData: { memory: heartbeats.memory, limitMs } });
    this.#worker.unref();
    let looks = 0;
    const look = setInterval(() => {
      const found = problems();
      looks = found.length === 0 ? 0 : looks + 1;
      if (looks * beatIntervalMs > limitMs) onWedged(found);
    }, beatIntervalMs).unref();
    this.#timers = [heartbeats.start(0), look];
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#worker.terminate();
  }
}
