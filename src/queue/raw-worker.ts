import { DelayedError, type Job, type JobJson, UnrecoverableError, Worker } from 'bullmq';

/** BullMQ's reason for a job that stalled too often: nothing is known of its outcome. */
const stalledReason = /stalled more than allowable limit/;

/**
 * A BullMQ worker that leaves a job's data as the text it was stored as: a completion of megabytes is parsed in the thread
 * that applies it, not on the thread that renews the locks. And one that fails a job for a refusal only.
 */
export class RawWorker extends Worker {
  readonly #texts = new WeakMap<Job, string>();
  readonly #stalledTooOften = new WeakSet<Job>();

  /**
   * A job over the stall limit is handed over like any other: it may have been stored each time, and only the receipt knows.
   * Refused jobs are kept, whatever their producer asked for: the failed set is the list of dead letters.
   */
  protected override createJob(data: JobJson, jobId: string): Job {
    const { deferredFailure, ...rest } = data;
    const stalled = deferredFailure !== undefined && stalledReason.test(deferredFailure);
    const kept = deferredFailure === undefined || stalled ? rest : data;
    const job = super.createJob({ ...kept, data: '{}' }, jobId);
    job.opts = { ...job.opts, removeOnFail: false };
    this.#texts.set(job, data.data);
    if (stalled) this.#stalledTooOften.add(job);
    return job;
  }

  /**
   * An error that is no refusal says nothing of the completion, which may be stored: a queue that was cut off while it was
   * answered, or a bug. BullMQ would put the job among the dead letters; so it is let go, and is found as stalled.
   */
  protected override handleFailed(
    error: Error,
    job: Job,
    token: string,
    fetchNextCallback?: () => boolean,
  ): Promise<Job> {
    if (error instanceof UnrecoverableError || error instanceof DelayedError)
      return super.handleFailed(error, job, token, fetchNextCallback);
    this.emit('error', error);
    return super.handleFailed(new DelayedError(), job, token, fetchNextCallback);
  }

  /** The job's data as JSON text. */
  textOf(job: Job): string {
    return this.#texts.get(job) ?? JSON.stringify(job.data);
  }

  /** Whether BullMQ itself would have given the job up, for what it did to its workers. */
  hasStalledTooOften(job: Job): boolean {
    return this.#stalledTooOften.has(job);
  }

  /**
   * Gives up a close that a queue which is away holds up, with its timer and its connections: one that never was ready ends
   * only by a forced close, one that was by a disconnect. Left open they would keep the process.
   */
  async abandon(): Promise<void> {
    const { lockManager, backend } = this;
    await Promise.all([lockManager.close(), backend.close(true), backend.disconnectBlocking(false)]);
  }
}
