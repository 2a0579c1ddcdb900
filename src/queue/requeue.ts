import type { JobNotes } from './job-notes.ts';

/** Settings `requeue`. */
export interface RequeueSettings {
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  readonly maxCount: number;
  readonly maxAgeMs: number;
}

/** Tries of a job whose failure is a bug, before it becomes a dead letter. */
const maxDefects = 3;
/** Threads that one job may have taken with it. */
const maxCrashes = 2;

/** What becomes of a job that could not be applied now. */
export type RequeueDecision =
  | { readonly kind: 'delay'; readonly delayMs: number; readonly notes: JobNotes }
  | {
      readonly kind: 'refuse';
      readonly code: 'retries_exhausted' | 'worker_crashed' | 'internal_error';
      readonly why: string;
    };

/** Exponential backoff with full jitter, but never under a quarter: jobs that failed together do not come back together. */
export function backoffMs(count: number, settings: RequeueSettings, random: () => number = Math.random): number {
  const ceiling = Math.min(settings.maxDelayMs, settings.firstDelayMs * 2 ** Math.min(count, 30));
  return Math.round(ceiling * (0.25 + 0.75 * random()));
}

/**
 * Decides by the counters on the job. A requeue ends only when it is both often and old enough, so that neither a short
 * storm nor a long outage alone gives a job up.
 */
export function decideRequeue(
  notes: JobNotes,
  failure: string,
  message: string,
  settings: RequeueSettings,
  nowMs: number,
): RequeueDecision {
  const count = (notes.requeues?.[failure] ?? 0) + 1;
  const firstRequeuedAtMs = notes.firstRequeuedAtMs ?? nowMs;
  const requeues = { ...notes.requeues, [failure]: count };
  const total = Object.values(requeues).reduce((sum, value) => sum + value, 0);
  if (failure === 'worker_crashed' && count >= maxCrashes)
    return { kind: 'refuse', code: 'worker_crashed', why: `the job ended its worker thread ${count} times` };
  if (failure === 'defect' && count >= maxDefects) return { kind: 'refuse', code: 'internal_error', why: message };
  if (total > settings.maxCount && nowMs - firstRequeuedAtMs > settings.maxAgeMs)
    return {
      kind: 'refuse',
      code: 'retries_exhausted',
      why: `put back ${total} times, last as ${failure}: ${message}`,
    };
  return { kind: 'delay', delayMs: backoffMs(total - 1, settings), notes: { requeues, firstRequeuedAtMs } };
}

/** Whether the job's thread died before, so that it needs one of its own. */
export function hasCrashed(notes: JobNotes): boolean {
  return (notes.requeues?.worker_crashed ?? 0) > 0;
}
