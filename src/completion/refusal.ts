/** Every refusal's code with its HTTP-like status: a permanent "no" that stores nothing and leaves the claim usable. */
export const refusalStatuses = {
  invalid_completion: 422,
  unstorable_text: 422,
  payload_too_large: 413,
  completion_budget_exceeded: 413,
  task_not_found: 404,
  conflicting_completion: 409,
  task_not_leased: 409,
  lease_owner_mismatch: 409,
  workflow_task_attempt_mismatch: 409,
  lease_expired: 409,
  run_closed: 409,
  run_timed_out: 409,
  history_sequence_exhausted: 409,
  pending_limit_exceeded: 409,
  update_not_found: 409,
  update_task_mismatch: 409,
  invalid_parallel_group: 409,
  retries_exhausted: 503,
  worker_crashed: 503,
  internal_error: 500,
  invalid_request: 422,
  workflow_id_already_exists: 409,
  run_not_found: 404,
} as const;

export type RefusalCode = keyof typeof refusalStatuses;

/** A refusal as it is thrown inside a thread; it leaves the thread as a verdict, never as an error. */
export class Refusal extends Error {
  readonly code: RefusalCode;

  /** @param message names the thing and its id, never a payload. */
  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }

  get status(): number {
    return refusalStatuses[this.code];
  }
}
