/** Code of a failure that left the connection closed without the network or the server saying why. */
const connectionClosed = 'connection_closed';
/** Code of a failure to get a connection in time. */
const connectTimeout = 'connect_timeout';

/** What pg says without a code. Source: its client.js and pg-pool's index.js, 8.23. */
const codesByMessage: readonly (readonly [message: RegExp, code: string])[] = [
  [/^(timeout e|Connection terminated due to connection timeout)/, connectTimeout],
  [/^(Connection terminated|Client (was closed|has encountered a connection error))/, connectionClosed],
];

/** SQLSTATEs behind which the server ends the session. */
const endsSession = /^(57P|08|25P0[34])/;

/** SQLSTATEs that say a prepared statement is not the server's any more: a new connection prepares it anew. */
const invalidStatement = '26000';
const featureNotSupported = '0A000';

/** How `allocateSequences` fails when a run's sequence is not the expected one: by dividing by zero. */
export const allocation = { statement: 'allocate-sequences', mismatch: '22012' } as const;

/** What is known of a transaction's COMMIT when something failed. */
export type CommitState =
  /** It was not sent, or the transaction had failed before it. */
  | 'not_run'
  /** It was sent, and no answer says what became of it. */
  | 'unanswered';

/**
 * A failed statement or connection, as the driver told it. The driver's own error is not kept: its detail and message quote
 * values.
 */
export class PostgresFailure extends Error {
  /** SQLSTATE, the network's or the driver's code. */
  readonly code: string;
  readonly isServerError: boolean;
  /** Name of the statement that failed; empty when none did. */
  readonly statement: string;
  readonly constraint: string | undefined;
  /** What is wrong in words, where they cannot quote a value. */
  readonly words: string;
  /** A statement was prepared for tables as they were before. */
  readonly isStaleStatement: boolean;
  /** The connection cannot be used any more. */
  readonly isBreaking: boolean;
  commit: CommitState = 'not_run';

  constructor(error: unknown, statement = '') {
    const { code, severity, constraint, routine, message } = error as {
      code?: string;
      severity?: string;
      constraint?: string;
      routine?: string;
      message: string;
    };
    const isServerError = severity !== undefined && code !== undefined;
    const name = code ?? codesByMessage.find(([pattern]) => pattern.test(message))?.[1] ?? 'driver_error';
    super(name);
    this.name = 'PostgresFailure';
    this.code = name;
    this.isServerError = isServerError;
    this.statement = statement;
    this.constraint = constraint;
    this.words = !isServerError || severity === 'FATAL' ? message : '';
    this.isStaleStatement =
      name === invalidStatement || (name === featureNotSupported && routine === 'RevalidateCachedQuery');
    this.isBreaking = !isServerError || this.isStaleStatement || endsSession.test(name);
  }

  /** Answered by a server that goes on: the transaction had surely failed, whatever was sent behind. */
  get isDecisive(): boolean {
    return this.isServerError && !endsSession.test(this.code);
  }
}
