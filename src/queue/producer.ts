import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, type JobsOptions, Queue, QueueEvents } from 'bullmq';
import type { Settings } from '../../config/settings.ts';
import { completionIdOf } from '../completion/completion.ts';
import { describeTooDeep, tooDeepPath } from '../completion/job-data.ts';
import type { Outcome } from '../completion/outcome.ts';
import { refusalStatuses } from '../completion/refusal.ts';
import { mayHoldUnstorableText, unstorablePaths } from '../completion/text.ts';
import { CompletionRefused, parseFailedReason } from './completion-refused.ts';
import { connectQueue, type QueueConnection } from './connect.ts';
import { QueueError, within } from './queue-error.ts';
import { queueTelemetry, withTraceparent } from './telemetry.ts';

/** How long the queue may take to answer a producer, milliseconds. */
const answerMs = 10_000;
const firstPollMs = 10;
const maxPollMs = 250;
/** A job option of our own: which call added the job. A second `add` of an id is ignored, and its answer looks new. */
const addedBy = 'addedBy';

/** A job that is in the queue; `added` is false when its id was there before. */
export interface Enqueued {
  readonly completionId: string;
  readonly added: boolean;
}

/** Which settings a producer needs. */
export interface ProducerSettings {
  readonly queue: Settings['queue'];
  readonly limits: Pick<Settings['limits'], 'jobBytes'>;
}

interface Addition {
  readonly name: string;
  readonly data: object;
  readonly opts: JobsOptions & { readonly jobId: string; readonly [addedBy]: string };
}

/** Adds completions to the queue and waits for their outcomes. Fails fast while the queue is away. */
export class CompletionProducer {
  readonly #connection: QueueConnection;
  readonly #queue: Queue;
  readonly #jobBytes: number;
  #events: QueueEvents | undefined;

  private constructor(connection: QueueConnection, settings: ProducerSettings) {
    this.#connection = connection;
    this.#jobBytes = settings.limits.jobBytes;
    const { prefix, name } = connection.settings;
    const telemetry = queueTelemetry();
    const options = { connection: connection.connection, prefix, ...(telemetry && { telemetry }) };
    this.#queue = new Queue(name, options, connection.backend);
    this.#queue.on('error', () => undefined);
  }

  /** @throws QueueError `queue_unavailable`. */
  static async connect(settings: ProducerSettings): Promise<CompletionProducer> {
    const connection = await connectQueue(settings.queue, 'producer').catch((error: unknown) => {
      throw new QueueError('queue_unavailable', `the queue cannot be reached: ${(error as Error).message}`, error);
    });
    const producer = new CompletionProducer(connection, settings);
    try {
      await within(answerMs, 'connect', producer.#queue.waitUntilReady());
    } catch (error) {
      await producer.close();
      throw error;
    }
    return producer;
  }

  /**
   * @param name the job's name; `activity-completion` for the end of an activity's attempt.
   * @throws QueueError, CompletionRefused when the queue could not even hold it.
   */
  async enqueue(completion: object, name = 'completion'): Promise<Enqueued> {
    const { data, opts } = this.#addition(completion, name);
    await within(answerMs, 'add', this.#queue.add(name, data, opts));
    return this.#enqueued(opts.jobId, opts[addedBy]);
  }

  /** The same for many, in one call. */
  async enqueueBulk(completions: readonly object[], name = 'completion'): Promise<Enqueued[]> {
    const additions = completions.map(completion => this.#addition(completion, name));
    await within(answerMs * 6, 'add', this.#queue.addBulk(additions));
    return Promise.all(additions.map(({ opts }) => this.#enqueued(opts.jobId, opts[addedBy])));
  }

  /**
   * Enqueues and waits for the outcome.
   * @throws CompletionRefused, QueueError `wait_timed_out` when there is none in time: the job stays in the queue.
   */
  async enqueueAndWait(completion: object, options: { readonly timeoutMs?: number } = {}): Promise<Outcome> {
    const { completionId } = await this.enqueue(completion);
    return (await this.waitFor(completionId, options.timeoutMs ?? 60_000)) as Outcome;
  }

  /** The return value of a job, when it has one. @throws as `enqueueAndWait`. */
  async waitFor(jobId: string, timeoutMs: number): Promise<unknown> {
    const deadline = Date.now() + timeoutMs;
    const events = await this.#listen();
    for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 2, maxPollMs)) {
      const state = await within(answerMs, 'read', this.#queue.getJobState(jobId));
      if (state === 'unknown') throw new QueueError('not_found', `there is no job ${jobId}`);
      if (state === 'completed' || state === 'failed') {
        const job = await within(answerMs, 'read', this.#queue.getJob(jobId));
        const result = job && resultOf(job);
        if (result !== undefined) return result.value;
      }
      const left = deadline - Date.now();
      if (left <= 0)
        throw new QueueError(
          'wait_timed_out',
          `job ${jobId} has no outcome after ${timeoutMs} ms; it stays in the queue`,
        );
      await pause(Math.min(pollMs, left), jobId, events);
    }
  }

  async close(): Promise<void> {
    // Events that are still connecting would connect after they were closed, and keep the process alive.
    const ready = this.#events?.waitUntilReady().catch(() => undefined);
    const closing = Promise.allSettled([ready?.then(() => this.#events?.close()), this.#queue.close()]);
    await Promise.race([closing, sleep(2_000, undefined, { ref: false })]);
    await this.#connection.close();
  }

  #addition(given: object, name: string): Addition {
    const completion = withTraceparent(given);
    const tooDeep = tooDeepPath(completion);
    if (tooDeep !== undefined) throw new CompletionRefused('invalid_completion', 422, describeTooDeep(tooDeep));
    const json = JSON.stringify(completion);
    const bytes = Buffer.byteLength(json);
    if (bytes > this.#jobBytes)
      throw new CompletionRefused(
        'payload_too_large',
        413,
        `the job would have ${bytes} bytes, the limit is ${this.#jobBytes} (limits.jobBytes)`,
      );
    if (!this.#connection.keepsAnyText && mayHoldUnstorableText(json)) {
      const paths = unstorablePaths(completion);
      if (paths.length > 0)
        throw new CompletionRefused('unstorable_text', 422, `U+0000 or a lone surrogate at ${paths.join(', ')}`);
    }
    const jobId = completionIdOf(completion);
    if (/^\d+$/.test(jobId) || jobId.includes(':'))
      throw new CompletionRefused(
        'invalid_completion',
        422,
        'completion_id: the queue takes none of digits only, or with a colon',
      );
    const { keepCompletedSeconds: age, keepCompletedCount: count } = this.#connection.settings;
    const opts = { jobId, [addedBy]: randomUUID(), removeOnComplete: { age, count }, removeOnFail: false } as const;
    return { name, data: completion, opts };
  }

  /** Reads the stored job back: only its own options say who added it. */
  async #enqueued(jobId: string, mark: string): Promise<Enqueued> {
    const stored = await within(answerMs, 'read', this.#queue.getJob(jobId));
    // A job that is gone already was finished and not kept: nobody else had added it before.
    const added = stored === undefined || (stored.opts as { readonly [addedBy]?: string })[addedBy] === mark;
    return { completionId: jobId, added };
  }

  async #listen(): Promise<QueueEvents | undefined> {
    if (!this.#connection.notifies) return undefined;
    if (this.#events === undefined) {
      const { blocking, backend, settings } = this.#connection;
      this.#events = new QueueEvents(settings.name, { connection: blocking(), prefix: settings.prefix }, backend);
      this.#events.on('error', () => undefined);
      this.#events.setMaxListeners(0);
    }
    return this.#events;
  }
}

/** The return value of a finished job; undefined when it is on its way again. @throws CompletionRefused */
function resultOf(job: Job): { readonly value: unknown } | undefined {
  if (job.finishedOn === undefined) return undefined;
  if (job.failedReason === undefined || job.failedReason === '') return { value: job.returnvalue as unknown };
  const { code, message } = parseFailedReason(job.failedReason);
  throw new CompletionRefused(code, refusalStatuses[code], message);
}

/** Waits, and ends early when the job's end is announced. */
function pause(ms: number, jobId: string, events: QueueEvents | undefined): Promise<void> {
  return new Promise(resolve => {
    const announced = (args: { jobId: string }) => {
      if (args.jobId === jobId) end();
    };
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      events?.off('completed', announced);
      events?.off('failed', announced);
      resolve();
    }
    events?.on('completed', announced);
    events?.on('failed', announced);
  });
}
