/** A person's mistake, or a plain "no": one line and an exit code, never a stack trace. */
export class CliError extends Error {
  /** 1: it could not be done. 2: bad usage or bad settings. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

/** Errors that are said in one line, by name, with their exit codes. Everything else is a bug and shows its stack. */
const plainErrors: Readonly<Record<string, number>> = {
  CliError: 1,
  ConfigError: 2,
  Refusal: 1,
  CompletionRefused: 1,
  QueueError: 1,
  StoreError: 1,
  StartError: 1,
};

/** What a failed command says and how it exits. */
export function explainError(error: unknown): { readonly message: string; readonly exitCode: number } {
  if (!(error instanceof Error)) return { message: String(error), exitCode: 1 };
  if (error instanceof CliError) return { message: error.message, exitCode: error.exitCode };
  const exitCode = plainErrors[error.name];
  const { code } = error as { code?: unknown };
  if (exitCode === undefined && typeof code !== 'string') return { message: error.stack ?? error.message, exitCode: 1 };
  const prefix =
    typeof code === 'string' && !error.message.startsWith(code) && error.name !== 'ConfigError' ? `${code}: ` : '';
  return { message: prefix + error.message, exitCode: exitCode ?? 1 };
}
