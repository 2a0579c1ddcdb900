import type { RefusalCode } from '../completion/refusal.ts';

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
