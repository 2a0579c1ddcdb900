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

const page = 200;

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

async function matching(admin: QueueAdmin, filter: DeadLetterFilter): Promise<Job[]> {
  const found: Job[] = [];
  for await (const job of failedJobs(admin)) {
    const { code } = describe(job);
    if (filter.ids !== undefined && !filter.ids.includes(job.id ?? '')) continue;
    if (filter.code !== undefined && filter.code !== code) continue;
    if (filter.olderThanMs !== undefined && Date.now() - (job.finishedOn ?? 0) < filter.olderThanMs) continue;
    found.push(job);
  }
  return found;
}

/** Dead letters, oldest first. */
export async function listDeadLetters(admin: QueueAdmin, filter: DeadLetterFilter = {}): Promise<DeadLetter[]> {
  return (await matching(admin, filter)).map(describe);
}

/** One dead letter with its data. @throws QueueError `not_found`. */
export async function showDeadLetter(admin: QueueAdmin, id: string): Promise<DeadLetter & { readonly data: unknown }> {
  const job: Job | undefined = await admin.queue.getJob(id);
  if (job === undefined || !(await job.isFailed())) throw new QueueError('not_found', `there is no dead letter ${id}`);
  return { ...describe(job), data: job.data as unknown };
}

/** @throws QueueError `not_found` when nothing matched, or an id is no dead letter. */
async function required(admin: QueueAdmin, filter: DeadLetterFilter): Promise<Job[]> {
  const jobs = await matching(admin, filter);
  const missing = filter.ids?.filter(id => !jobs.some(job => job.id === id)) ?? [];
  if (missing.length > 0) throw new QueueError('not_found', `no dead letter matches ${missing.join(', ')}`);
  if (jobs.length === 0) throw new QueueError('not_found', 'no dead letter matches');
  return jobs;
}

/** Puts dead letters back into the queue: same id, same data, fresh counters. @throws as above. */
export async function redriveDeadLetters(
  admin: QueueAdmin,
  filter: DeadLetterFilter,
  dryRun: boolean,
): Promise<DeadLetter[]> {
  const jobs = await required(admin, filter);
  for (const job of dryRun ? [] : jobs) {
    await job.updateProgress({});
    await job.retry('failed');
  }
  return jobs.map(describe);
}

/** Removes dead letters for good. @throws as above. */
export async function discardDeadLetters(
  admin: QueueAdmin,
  filter: DeadLetterFilter,
  dryRun: boolean,
): Promise<DeadLetter[]> {
  const jobs = await required(admin, filter);
  for (const job of dryRun ? [] : jobs) await job.remove();
  return jobs.map(describe);
}
