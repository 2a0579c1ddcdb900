import { type RefusalCode, refusalStatuses } from '../completion/refusal.ts';

/** A completion that can never succeed, as its producer learns of it. Nothing of it is stored; its claim stays usable. */
export class CompletionRefused extends Error {
  readonly code: RefusalCode;
  readonly status: number;

  constructor(code: RefusalCode, status: number, message: string) {
    super(message);
    this.name = 'CompletionRefused';
    this.code = code;
    this.status = status;
  }
}

/** BullMQ's `failedReason` → code and message; a reason that is not one of ours is an `internal_error`. */
export function parseFailedReason(reason: string): { readonly code: RefusalCode; readonly message: string } {
  const [, code = '', message = ''] = /^([a-z_]+): ([\s\S]*)$/.exec(reason) ?? [];
  return code in refusalStatuses ? { code: code as RefusalCode, message } : { code: 'internal_error', message: reason };
}
