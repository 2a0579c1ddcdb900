import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SingleBar } from 'cli-progress';
import type { Settings } from '../../../config/settings.ts';
import { startDaemon } from '../../daemon/daemon.ts';
import { createLogger } from '../../daemon/logger.ts';
import type { ApplyStats } from '../../pool/protocol.ts';
import { CompletionProducer } from '../../queue/producer.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { type ClaimedTask, claimTask } from '../../transaction/claim-task.ts';
import { sendSignal } from '../../transaction/send-signal.ts';
import { startRun } from '../../transaction/start-run.ts';
import { type Step, type Story, stories } from './scenario.ts';

/** What the demo did. */
export interface DemoResult {
  readonly runs: number;
  readonly completions: number;
  readonly records: number;
  readonly events: number;
  readonly seconds: number;
  readonly lockMs: readonly number[];
  /** The run to look at. */
  readonly shownRunId: string;
}

/** The settings of the demo: what the person set, and a temporary directory for what was left at its default. */
export async function demoSettings(settings: Settings): Promise<{ settings: Settings; directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'completiond-demo-'));
  const database =
    settings.database.url === 'sqlite:./data/completiond.db' ? `sqlite:${directory}/demo.db` : settings.database.url;
  const queue = settings.queue.url === 'embedded:./data/queue' ? `embedded:${directory}/queue` : settings.queue.url;
  return {
    directory,
    settings: {
      ...settings,
      database: { ...settings.database, url: database },
      queue: { ...settings.queue, url: queue, prefix: `demo_${process.pid}` },
      http: { ...settings.http, port: 0 },
      logLevel: 'error',
    },
  };
}

type OnCompletion = (events: number, step: Step) => void;

/** A worker of one story: claims its run's tasks and sends back what the story says. */
class DemoWorker {
  readonly #store: Store;
  readonly #producer: CompletionProducer;
  readonly #settings: Settings;
  readonly #onCompletion: OnCompletion;

  constructor(store: Store, producer: CompletionProducer, settings: Settings, onCompletion: OnCompletion) {
    this.#store = store;
    this.#producer = producer;
    this.#settings = settings;
    this.#onCompletion = onCompletion;
  }

  /** @returns the run the story began with. */
  async tell(story: Story, index: number): Promise<string> {
    const queue = `demo-${process.pid}-${index}`;
    const { run_id } = await startRun(this.#store, { workflow_type: story.workflowType, queue });
    for (const step of story.steps) {
      const task = await this.#claim(queue);
      const { task_id, lease_owner, workflow_task_attempt } = task;
      const completion = { task_id, lease_owner, workflow_task_attempt, commands: step.commands };
      const outcome = await this.#producer.enqueueAndWait(completion);
      this.#onCompletion(outcome.event_count, step);
      if (step.signal !== undefined) await sendSignal(this.#store, this.#settings, task.run_id, step.signal);
    }
    return run_id;
  }

  async #claim(queue: string): Promise<ClaimedTask> {
    const request = { queue, lease_owner: 'demo-worker', task_type: 'workflow', lease_seconds: 300 } as const;
    for (let tries = 0; tries < 200; tries += 1) {
      const task = await claimTask(this.#store, request);
      if (task !== undefined) return task;
      await sleep(25);
    }
    throw new Error(`no task of ${queue} became ready`);
  }
}

const recordsOf = ({ commands }: Step) =>
  commands.filter(command => (command as { type?: string }).type === 'record_local_activity').length;

/** How much the demo does, and what ends it early. */
export interface DemoOptions {
  readonly runs: number;
  /** Of each completion; without it the built-in stories are told. */
  readonly records?: number;
  readonly interrupt: AbortSignal;
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/**
 * Runs the stories, several at a time, and shows how far it is.
 * @throws the interrupt's reason, when everything that was started has ended.
 */
export async function runDemo(settings: Settings, { runs, records, interrupt }: DemoOptions): Promise<DemoResult> {
  const told = stories(records);
  const total = Array.from({ length: runs }, (_, index) => told[index % told.length] as Story);
  const lockMs: number[] = [];
  const onVerdict = (_: unknown, verdict: { readonly kind: string; readonly stats?: ApplyStats }) => {
    if (verdict.kind === 'completed' && verdict.stats) lockMs.push(verdict.stats.lockMs);
  };
  process.stderr.write('starting the daemon with its embedded queue (a few seconds the first time) …\n');
  const daemon = await startDaemon(settings, { migrate: true, logger: createLogger(settings), onVerdict });
  await daemon.started;
  const store = await openStore({ database: settings.database, connections: 8 });
  const producer = await CompletionProducer.connect(settings);
  const bar = new SingleBar({
    format: 'completions [{bar}] {value}/{total}',
    noTTYOutput: false,
    stream: process.stderr,
  });
  const sums = { completions: 0, records: 0, events: 0 };
  bar.start(
    total.reduce((sum, story) => sum + story.steps.length, 0),
    0,
  );
  const worker = new DemoWorker(store, producer, settings, (events, step) => {
    sums.completions += 1;
    sums.events += events;
    sums.records += recordsOf(step);
    bar.update(sums.completions);
  });
  const begin = performance.now();
  try {
    const runIds: string[] = [];
    const queue = total.entries();
    const lanes = Array.from({ length: 8 }, async () => {
      for (const [index, story] of queue) {
        if (interrupt.aborted) return;
        runIds[index] = await worker.tell(story, index);
      }
    });
    await Promise.race([Promise.all(lanes), rejectionOf(interrupt)]);
    return { runs, ...sums, seconds: (performance.now() - begin) / 1_000, lockMs, shownRunId: runIds[0] ?? '' };
  } finally {
    bar.stop();
    await producer.close();
    await store.close();
    await daemon.stop();
  }
}

/** Removes the demo's directory, once the embedded queue has let go of it. */
export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 40, retryDelay: 100 });
}
