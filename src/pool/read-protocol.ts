import type { RunFilter } from '../store/reads.ts';

/** What the HTTP side asks of the reading thread. */
export type ReadRequest =
  | { readonly kind: 'runs'; readonly filter: RunFilter & { readonly limit: number } }
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'history'; readonly runId: string; readonly after: bigint; readonly limit: number }
  | { readonly kind: 'activities'; readonly runId: string };

/** Why there is no document: a code and an HTTP status; never a throw. */
export interface ReadFailure {
  readonly kind: 'failed';
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** The document as JSON text: the main thread hands it on as it is. */
export type ReadAnswer = { readonly kind: 'found'; readonly json: string } | ReadFailure;
