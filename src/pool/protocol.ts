import type { Outcome } from '../completion/outcome.ts';
import type { RefusalCode } from '../completion/refusal.ts';

/** One job as it crosses into a thread. Its data stays the producer's JSON text: the main thread never parses it. */
export interface JobTask {
  readonly name: string;
  readonly id: string;
  /** `job.data` as stored in the queue. */
  readonly data: string;
  /** `job.timestamp`: when the job was enqueued, milliseconds since the epoch. */
  readonly enqueuedAtMs: number;
  /** Its thread died before: give it one of its own, so that a second death is surely its doing. */
  readonly alone?: boolean;
}

/** Name of the job that fires due timers, time-outs and deadlines; one is scheduled per queue, whatever the replicas. */
export const dueTasksJob = 'due-tasks';

/** What the main thread asks of a thread. */
export type ThreadRequest =
  | { readonly kind: 'job'; readonly job: JobTask }
  /** Is the database there, and is its schema this build's? */
  | { readonly kind: 'ping' };

/** The answer to `ping`; never a throw. */
export interface PingAnswer {
  readonly reachable: boolean;
  readonly schemaVersion: number | null;
  readonly upToDate: boolean;
  readonly message: string | null;
}

/** What one flush wrote; bytes by the estimate that bounds INSERTs. */
export interface FlushCost {
  readonly rows: number;
  readonly bytes: number;
  readonly statements: number;
}

/** What applying one job cost, for metrics and the log line. Times in milliseconds. */
export interface ApplyStats {
  readonly transactionMs: number;
  readonly lockMs: number;
  readonly lockWaitMs: number;
  readonly flushes: readonly FlushCost[];
  readonly statements: number;
  readonly rows: number;
  readonly bytes: number;
}

/** Why a completion goes back into the queue; the counters on the job are kept by these. */
export type RequeueClass =
  | 'deadlock'
  | 'serialization'
  | 'lock_wait'
  | 'busy'
  | 'timeout'
  | 'connection_lost'
  | 'server_unavailable'
  | 'too_many_connections'
  | 'disk_full';

/** A verdict on its way out of the thread, with the id of the trace that the job names. */
export type Answered = Verdict & { readonly traceId?: string };

/** What a thread answers, always as plain data: an expected failure is returned, a throw is a bug. */
export type Verdict =
  | { readonly kind: 'completed'; readonly outcome: Outcome; readonly stats: ApplyStats }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly status: number; readonly message: string }
  | { readonly kind: 'requeue'; readonly class: RequeueClass; readonly message: string }
  /** COMMIT was sent and no answer came: the receipt decides on redelivery. */
  | { readonly kind: 'unknown'; readonly message: string }
  | { readonly kind: 'defect'; readonly message: string };
