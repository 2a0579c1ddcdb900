import { type Job, type JobJson, Worker } from 'bullmq';

/**
 * A BullMQ worker that leaves a job's data as the text it was stored as: a completion of megabytes is parsed in the thread
 * that applies it, not on the thread that renews the locks.
 */
export class RawWorker extends Worker {
  readonly #texts = new WeakMap<Job, string>();

  protected override createJob(data: JobJson, jobId: string): Job {
    const job = super.createJob({ ...data, data: '{}' }, jobId);
    this.#texts.set(job, data.data);
    return job;
  }

  /** The job's data as JSON text. */
  textOf(job: Job): string {
    return this.#texts.get(job) ?? JSON.stringify(job.data);
  }
}
