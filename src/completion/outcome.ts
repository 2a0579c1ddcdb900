/** Statuses of a workflow run. */
export const runStatuses = ['pending', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'terminated'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** The return value of a finished completion job, and what `enqueueAndWait` resolves to. Sequences are decimal strings. */
export interface Outcome {
  readonly outcome: 'completed';
  /** False when the completion had been stored before. */
  readonly recorded: boolean;
  readonly reason: 'already_completed' | null;
  readonly task_id: string;
  readonly run_id: string;
  readonly workflow_task_attempt: number;
  readonly run_status: RunStatus;
  readonly created_task_ids: readonly string[];
  /** Null when the completion wrote no event. */
  readonly first_history_sequence: string | null;
  readonly last_history_sequence: string | null;
  readonly event_count: number;
}
