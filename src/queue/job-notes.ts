import type { Job } from 'bullmq';
import type { RefusalCode } from '../completion/refusal.ts';

/** What the daemon notes on a job, in its progress: the data stay the producer's, byte for byte. */
export interface JobNotes {
  /** Requeues by class. */
  readonly requeues?: Readonly<Record<string, number>>;
  /** When it was put back first, milliseconds since the epoch. */
  readonly firstRequeuedAtMs?: number;
  readonly refused?: { readonly code: RefusalCode; readonly status: number; readonly message: string };
}

export function notesOf(job: Job): JobNotes {
  return typeof job.progress === 'object' && job.progress !== null ? (job.progress as JobNotes) : {};
}

export async function writeNotes(job: Job, notes: JobNotes): Promise<void> {
  await job.updateProgress({ ...notes });
}
