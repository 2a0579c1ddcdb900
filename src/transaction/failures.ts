import { Refusal } from '../completion/refusal.ts';
import type { Verdict } from '../pool/protocol.ts';
import { StoreError } from '../store/store-error.ts';

/** An error of a job → the verdict that leaves the thread. Classified here, since errors lose their fields on the way out. */
export function failureVerdict(error: unknown): Verdict {
  if (error instanceof Refusal)
    return { kind: 'refused', code: error.code, status: error.status, message: error.message };
  if (error instanceof StoreError) {
    const { failure, message } = error;
    if (failure.class === 'requeue') return { kind: 'requeue', class: failure.requeueClass, message };
    return { kind: failure.class, message };
  }
  return { kind: 'defect', message: error instanceof Error ? `${error.name}: ${error.message}` : 'not an error' };
}
