import type { Job } from 'bullmq';
import type { QueueAdmin } from './admin.ts';
import { parseFailedReason } from './completion-refused.ts';
import { QueueError } from './queue-error.ts';

/** A refused job, as it waits in the failed set. */
export interface DeadLetter {
  readonly completion_id: string;
  readonly task_id: string | null;
  readonly code: string;
  readonly message: string;
  /** ISO 8601. */
  readonly failed_at: string | null;
}

/** Which dead letters are meant; all given conditions hold. */
export interface DeadLetterFilter {
  readonly ids?: readonly string[];
  readonly code?: string;
  /** At least this old, milliseconds since it failed. */
  readonly olderThanMs?: number;
  readonly all?: boolean;
}

/** Jobs read at once. Each comes with its data, which may be megabytes; only what describes it is kept. */
const page = 25;

function describe(job: Job): DeadLetter {
  const { code, message } = parseFailedReason(job.failedReason ?? '');
  const taskId = (job.data as { task_id?: unknown } | null)?.task_id;
  return {
    completion_id: job.id ?? '',
    task_id: typeof taskId === 'string' ? taskId : null,
    code,
    message,
    failed_at: job.finishedOn === undefined ? null : new Date(job.finishedOn).toISOString(),
  };
}

async function* failedJobs(admin: QueueAdmin): AsyncGenerator<Job> {
  for (let start = 0; ; start += page) {
    const jobs = await admin.queue.getJobs(['failed'], start, start + page - 1, true);
    for (const job of jobs) if (job) yield job;
    if (jobs.length < page) return;
  }
}

async function failedJob(admin: QueueAdmin, id: string): Promise<Job | undefined> {
  // State first: a job that is read before it fails has no reason yet.
  if ((await admin.queue.getJobState(id)) !== 'failed') return undefined;
  const job: Job | undefined = await admin.queue.getJob(id);
  return job?.failedReason === undefined ? undefined : job;
}

async function* candidates(admin: QueueAdmin, ids: readonly string[] | undefined): AsyncGenerator<Job> {
  if (ids === undefined) return yield* failedJobs(admin);
  for (const id of new Set(ids)) {
    const job = await failedJob(admin, id);
    if (job !== undefined) yield job;
  }
}

async function matching(admin: QueueAdmin, filter: DeadLetterFilter): Promise<DeadLetter[]> {
  const found: DeadLetter[] = [];
  for await (const job of candidates(admin, filter.ids)) {
    const letter = describe(job);
    if (filter.code !== undefined && filter.code !== letter.code) continue;
    if (filter.olderThanMs !== undefined && Date.now() - (job.finishedOn ?? 0) < filter.olderThanMs) continue;
    found.push(letter);
  }
  return found;
}

/** Dead letters, oldest first. */
export async function listDeadLetters(admin: QueueAdmin, filter: DeadLetterFilter = {}): Promise<DeadLetter[]> {
  return matching(admin, filter);
}

/** One dead letter with its data. @throws QueueError `not_found`. */
export async function showDeadLetter(admin: QueueAdmin, id: string): Promise<DeadLetter & { readonly data: unknown }> {
  const job = await failedJob(admin, id);
  if (job === undefined) throw new QueueError('not_found', `there is no dead letter ${id}`);
  return { ...describe(job), data: job.data as unknown };
}

/** @throws QueueError `not_found` when nothing matched, or an id is no dead letter. */
async function required(admin: QueueAdmin, filter: DeadLetterFilter): Promise<DeadLetter[]> {
  const letters = await matching(admin, filter);
  const missing = filter.ids?.filter(id => !letters.some(letter => letter.completion_id === id)) ?? [];
  if (missing.length > 0) throw new QueueError('not_found', `no dead letter matches ${missing.join(', ')}`);
  if (letters.length === 0) throw new QueueError('not_found', 'no dead letter matches');
  return letters;
}

/** @returns those that were changed; another operator may have been faster with the others. */
async function change(
  admin: QueueAdmin,
  letters: readonly DeadLetter[],
  apply: (job: Job) => Promise<void>,
): Promise<DeadLetter[]> {
  const changed: DeadLetter[] = [];
  for (const letter of letters) {
    const job = await failedJob(admin, letter.completion_id);
    if (job === undefined) continue;
    await apply(job);
    changed.push(letter);
  }
  return changed;
}

/** Puts dead letters back into the queue: same id, same data, fresh counters. @throws as above. */
export async function redriveDeadLetters(
  admin: QueueAdmin,
  filter: DeadLetterFilter,
  dryRun: boolean,
): Promise<DeadLetter[]> {
  const letters = await required(admin, filter);
  if (dryRun) return letters;
  return change(admin, letters, async job => {
    await job.updateProgress({});
    await job.retry('failed');
  });
}

/** Removes dead letters for good. @throws as above. */
export async function discardDeadLetters(
  admin: QueueAdmin,
  filter: DeadLetterFilter,
  dryRun: boolean,
): Promise<DeadLetter[]> {
  const letters = await required(admin, filter);
  return dryRun ? letters : change(admin, letters, job => job.remove());
}
