import { setTimeout as sleep } from 'node:timers/promises';
import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import { Refusal, type RefusalCode } from '../completion/refusal.ts';
import type { JobTask, Verdict } from '../pool/protocol.ts';
import type { QueueConnection } from './connect.ts';
import { notesOf, writeNotes } from './job-notes.ts';
import { RawWorker } from './raw-worker.ts';
import { decideRequeue, hasCrashed, type RequeueSettings } from './requeue.ts';
import { queueTelemetry } from './telemetry.ts';

/** What a consumer is made with. */
export interface ConsumerOptions {
  readonly connection: QueueConnection;
  readonly concurrency: number;
  readonly jobBytes: number;
  readonly requeue: RequeueSettings;
  /** Applies a job in a thread. A rejection means that the thread died. */
  readonly apply: (task: JobTask) => Promise<Verdict>;
  /** Told of every answer, before it is written to the queue. */
  readonly onVerdict: (task: JobTask, verdict: Verdict, takenAtMs: number) => void;
  /** Told of every job that goes back into the queue, by what failed. */
  readonly onPutBack: (failure: string) => void;
  /** Told of every job that goes to the dead letters. */
  readonly onDeadLetter: (code: RefusalCode) => void;
  readonly onStalled: (jobId: string) => void;
  readonly onError: (error: Error) => void;
}

/** How long the queue may take to close: one that is there needs milliseconds. */
const closeMs = 2_000;
/** A job over the stall limit is tried alone until it stalled so many times the limit: its receipt was asked each time. */
const stallLimits = 2;

/** The verdict, and the name its counter has when the job is put back. */
interface Answer {
  readonly verdict: Verdict;
  readonly failure: string;
}

function refusal(reason: RefusalCode, why: string): Answer {
  const { code, status, message } = new Refusal(reason, why);
  return { verdict: { kind: 'refused', code, status, message }, failure: code };
}

const lost = (stalls: number) =>
  refusal('worker_crashed', `its worker gave no sign of life ${stalls} times, lately with the job alone`);

/** Takes jobs from the queue, has them applied, and answers the queue by the verdict. */
export class Consumer {
  readonly #options: ConsumerOptions;
  readonly #worker: RawWorker;
  #inFlight = 0;
  #lastVerdictAtMs = Date.now();

  constructor(options: ConsumerOptions) {
    this.#options = options;
    const { settings, connection, backend, drainDelay } = options.connection;
    const telemetry = queueTelemetry();
    this.#worker = new RawWorker(
      settings.name,
      (job, token) => this.#process(job, token ?? ''),
      {
        connection,
        prefix: settings.prefix,
        concurrency: options.concurrency,
        lockDuration: settings.lockDurationMs,
        stalledInterval: settings.stalledIntervalMs,
        maxStalledCount: settings.maxStalledCount,
        drainDelay,
        runRetryDelay: 500,
        ...(telemetry && { telemetry }),
        removeOnComplete: { age: settings.keepCompletedSeconds, count: settings.keepCompletedCount },
      },
      backend,
    );
    this.#worker.on('stalled', options.onStalled);
    this.#worker.on('error', options.onError);
  }

  /** Jobs that are being applied. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** When a job was last answered, milliseconds since the epoch. */
  get lastVerdictAtMs(): number {
    return this.#lastVerdictAtMs;
  }

  ready(): Promise<unknown> {
    return this.#worker.waitUntilReady();
  }

  /**
   * Takes no more jobs, waits for those in flight up to the grace time, and closes. A queue that is away does not hold it up:
   * what was not answered is found as stalled by the next daemon.
   */
  async close(graceMs: number): Promise<void> {
    await this.#worker.pause(true);
    const deadline = Date.now() + graceMs;
    while (this.#inFlight > 0 && Date.now() < deadline) await sleep(10);
    const drained = this.#inFlight === 0;
    const closing = this.#worker.close(!drained).then(() => true);
    const tooLate = sleep(closeMs, false, { ref: false });
    if (!(await Promise.race([closing, tooLate]))) this.#worker.abandon().catch(this.#options.onError);
  }

  async #process(job: Job, token: string): Promise<unknown> {
    const takenAtMs = Date.now();
    const data = this.#worker.textOf(job);
    const stalledTooOften = this.#worker.hasStalledTooOften(job);
    const alone = stalledTooOften || hasCrashed(notesOf(job));
    const task: JobTask = {
      name: job.name,
      id: job.id ?? '',
      data,
      enqueuedAtMs: job.timestamp,
      ...(alone && { alone }),
    };
    this.#inFlight += 1;
    try {
      const limit = this.#options.connection.settings.maxStalledCount * stallLimits;
      const isLost = stalledTooOften && job.stalledCounter > limit;
      const { verdict, failure } = isLost ? lost(job.stalledCounter) : await this.#apply(task);
      this.#options.onVerdict(task, verdict, takenAtMs);
      return await this.#answer(job, token, verdict, failure);
    } finally {
      this.#inFlight -= 1;
      this.#lastVerdictAtMs = Date.now();
    }
  }

  async #apply(task: JobTask): Promise<Answer> {
    const { jobBytes } = this.#options;
    if (task.data.length > jobBytes || (task.data.length * 3 > jobBytes && Buffer.byteLength(task.data) > jobBytes))
      return refusal('payload_too_large', `the job's data is over ${jobBytes} bytes (limits.jobBytes)`);
    try {
      const verdict = await this.#options.apply(task);
      return { verdict, failure: verdict.kind === 'requeue' ? verdict.class : verdict.kind };
    } catch (error) {
      const message = `its worker thread died: ${error instanceof Error ? error.message : 'unknown'}`;
      return { verdict: { kind: 'unknown', message }, failure: 'worker_crashed' };
    }
  }

  async #answer(job: Job, token: string, verdict: Verdict, failure: string): Promise<unknown> {
    if (verdict.kind === 'completed') return verdict.outcome;
    if (verdict.kind === 'done') return verdict.result;
    if (verdict.kind === 'refused') return this.#refuse(job, new Refusal(verdict.code, verdict.message));
    const notes = notesOf(job);
    const decision = decideRequeue(notes, failure, verdict.message, this.#options.requeue, Date.now());
    if (decision.kind === 'refuse') return this.#refuse(job, new Refusal(decision.code, decision.why));
    this.#options.onPutBack(failure);
    await writeNotes(job, { ...notes, ...decision.notes });
    await job.moveToDelayed(Date.now() + decision.delayMs, token);
    throw new DelayedError();
  }

  /** Straight to the failed set, without another attempt. */
  async #refuse(job: Job, { code, status, message }: Refusal): Promise<never> {
    this.#options.onDeadLetter(code);
    await writeNotes(job, { ...notesOf(job), refused: { code, status, message } });
    throw new UnrecoverableError(`${code}: ${message}`);
  }
}
