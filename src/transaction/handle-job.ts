import type { Settings } from '../../config/settings.ts';
import { activityCompletionJob, parseActivityCompletion } from '../completion/activity-completion.ts';
import { type Completion, parseCompletion } from '../completion/completion.ts';
import { Refusal } from '../completion/refusal.ts';
import { dueTasksJob, type JobTask, type Verdict } from '../pool/protocol.ts';
import { Instant } from '../store/instant.ts';
import { taskWithReceipt } from '../store/statements/tasks.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { applyCompletion, storedOutcome } from './apply-completion.ts';
import { inApplySpan } from './apply-span.ts';
import { completeActivity } from './complete-activity.ts';
import { fireDueTasks } from './fire-due-task.ts';
import { prepareCompletion } from './prepare-completion.ts';

/** The stats of a job whose transaction answered nothing. */
const noStats = { transactionMs: 0, lockMs: 0, lockWaitMs: 0, flushes: [], statements: 0, rows: 0, bytes: 0 };

/**
 * One job, by its name, as one transaction.
 * @throws Refusal, StoreError: see `failureVerdict`.
 */
export async function handleJob(store: Store, settings: Settings, job: JobTask): Promise<Verdict> {
  switch (job.name) {
    case 'completion':
      return handleCompletion(store, settings, job);
    case activityCompletionJob: {
      const completion = parseActivityCompletion(job.data, settings.limits.payloadBytes);
      return { kind: 'done', result: await completeActivity(store, settings, completion, job.enqueuedAtMs) };
    }
    case dueTasksJob:
      return { kind: 'done', result: await fireDueTasks(store, settings) };
    default:
      throw new Refusal('invalid_completion', `no job is named "${job.name.slice(0, 64)}"`);
  }
}

async function handleCompletion(store: Store, settings: Settings, job: JobTask): Promise<Verdict> {
  const completion = parseCompletion(job.data);
  return inApplySpan(completion, async () => {
    const prepared = prepareCompletion(completion, settings.limits, Instant.now());
    try {
      return { kind: 'completed', ...(await applyCompletion(store, prepared, job.enqueuedAtMs, settings)) };
    } catch (error) {
      if (!(error instanceof StoreError) || error.failure.class !== 'unknown') throw error;
      return askReceipt(store, completion, error);
    }
  });
}

/** COMMIT was sent and no answer came: the receipt, read on another connection, says whether it was stored. */
async function askReceipt(store: Store, completion: Completion, cause: StoreError): Promise<Verdict> {
  const [task] = await store.read(taskWithReceipt, [completion.task_id]).catch(() => []);
  if (!task?.outcome || task.content_digest !== completion.contentDigest) throw cause;
  return { kind: 'completed', outcome: storedOutcome(task.outcome, task.content_digest, completion), stats: noStats };
}
