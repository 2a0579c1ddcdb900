import type { RefusalCode } from '../completion/refusal.ts';
import type { JobTask, Verdict } from '../pool/protocol.ts';

const kept = 10;

/** A job that this daemon refused. */
export interface RecentRefusal {
  readonly job_id: string;
  readonly code: RefusalCode;
  readonly message: string;
  readonly refused_at: Date;
}

/**
 * The last jobs that this daemon refused and that were not completed since, newest first. The whole list is the queue's; reading
 * it means reading its jobs' data, which may be megabytes, on the main thread.
 */
export class RecentRefusals {
  #refusals: readonly RecentRefusal[] = [];

  get list(): readonly RecentRefusal[] {
    return this.#refusals;
  }

  note({ id }: JobTask, verdict: Verdict): void {
    if (verdict.kind !== 'refused' && verdict.kind !== 'completed') return;
    const others = this.#refusals.filter(({ job_id }) => job_id !== id);
    if (verdict.kind === 'completed') this.#refusals = others;
    else {
      const { code, message } = verdict;
      this.#refusals = [{ job_id: id, code, message, refused_at: new Date() }, ...others].slice(0, kept);
    }
  }

  /** Leaves a job out: it was put back into the queue. */
  forget(jobId: string): void {
    this.#refusals = this.#refusals.filter(({ job_id }) => job_id !== jobId);
  }
}
