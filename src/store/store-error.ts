import type { RequeueClass } from '../pool/protocol.ts';

/** How a database failure is answered: try again later, ask the receipt, or report a bug. */
export type StoreFailure =
  | { readonly class: 'requeue'; readonly requeueClass: RequeueClass }
  | { readonly class: 'unknown' }
  | { readonly class: 'defect' };

/** A classified database failure. The message names the dialect's code, never a statement's parameters. */
export class StoreError extends Error {
  readonly code: string;
  readonly failure: StoreFailure;

  constructor(code: string, failure: StoreFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreError';
    this.code = code;
    this.failure = failure;
  }
}
