/** SQL errors behind which the server closes the connection, or leaves it in no state to be used again. */
const breakingErrnos = new Set([1047, 1053, 1077, 1079, 1153, 1290, 1792, 1836, 1927, 2006, 2013, 4031]);

/** Code of a failure that was clear before anything was sent. */
export const closedBefore = 'connection_closed';

/** What is known of a transaction's COMMIT when a round trip failed. */
export type CommitState =
  /** It was not in the text, or the server stopped at a statement in front of it. */
  | 'not_run'
  /** The server answered COMMIT itself with an error. */
  | 'refused'
  /** It was sent, and no answer says what became of it. */
  | 'unanswered';

/**
 * A failed round trip, as the driver told it. The driver's own error is not kept: it carries the whole text with its values,
 * and the server's message quotes them.
 */
export class MysqlFailure extends Error {
  /** The server's error number; undefined when the failure is the driver's or the network's. */
  readonly errno: number | undefined;
  readonly sqlState: string;
  /** The network's or the driver's code; for a server's error its number. */
  readonly code: string;
  /** What was wrong with the server's certificate. */
  readonly tlsReason: string;
  /** The connection cannot be used any more. */
  readonly isBreaking: boolean;
  /** False when it was clear before sending that nothing could be sent. */
  readonly wasSent: boolean;
  /** Statements of the round trip that were answered before. */
  readonly answered: number;
  /** Name of the statement that failed. */
  statement = '';
  commit: CommitState = 'not_run';

  constructor(error: unknown, answered = 0) {
    const { errno, sqlState, code, fatal, message } = error as {
      errno?: number;
      sqlState?: string;
      code?: string;
      fatal?: boolean;
      message?: string;
    };
    const isServerError = typeof errno === 'number' && errno > 0 && sqlState !== undefined;
    const name = isServerError ? String(errno) : (code ?? 'driver_error');
    super(name);
    this.name = 'MysqlFailure';
    this.errno = isServerError ? errno : undefined;
    this.sqlState = sqlState ?? '';
    this.code = name;
    this.tlsReason = code === 'HANDSHAKE_SSL_ERROR' ? (message ?? '') : '';
    this.answered = answered;
    this.wasSent = name !== closedBefore;
    this.isBreaking = this.errno === undefined || fatal === true || breakingErrnos.has(this.errno);
  }
}
