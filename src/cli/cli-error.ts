import { maskText } from '../../config/mask.ts';

/** How a command that did not do its work exits. 1: it could not. 2: bad usage or bad settings. 130: interrupted. */
export type FailureCode = 1 | 2 | 130;

/** A person's mistake, or a plain "no": one line and an exit code, never a stack trace. */
export class CliError extends Error {
  readonly exitCode: FailureCode;

  constructor(message: string, exitCode: FailureCode = 1) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

/** Errors that say all there is to say, by name, with their exit codes. Everything else without a code is a bug. */
const plainErrors: Readonly<Record<string, FailureCode>> = {
  CliError: 1,
  ConfigError: 2,
  Refusal: 1,
  CompletionRefused: 1,
  QueueError: 1,
  ReplyError: 1,
  StoreError: 1,
  StartError: 1,
};

/** Errors whose messages are lists, an entry a line. */
const lists = new Set(['ConfigError', 'StartError']);

/** What a driver's or a plain error says: its code in front, where its message does not have it. */
function lineOf({ name, message, code }: Error & { readonly code?: unknown }): string {
  if (lists.has(name)) return message;
  const line = message.replaceAll(/\s*\n\s*/g, ' ');
  if (typeof code !== 'string' || line.startsWith(code)) return line;
  return line === '' ? code : `${code}: ${line}`;
}

/** What a failed command says, without secrets, and how it exits. A bug shows its stack. */
export function explainError(error: unknown): { readonly message: string; readonly exitCode: FailureCode } {
  if (!(error instanceof Error)) return { message: maskText(String(error)), exitCode: 1 };
  if (error instanceof CliError) return { message: maskText(error.message), exitCode: error.exitCode };
  const isPlain = Object.hasOwn(plainErrors, error.name) || typeof (error as { code?: unknown }).code === 'string';
  return {
    message: maskText(isPlain ? lineOf(error) : (error.stack ?? error.message)),
    exitCode: plainErrors[error.name] ?? 1,
  };
}
