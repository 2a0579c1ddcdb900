import type { RequeueClass } from '../../pool/protocol.ts';
import { StoreError } from '../store-error.ts';
import { allocation, PostgresFailure } from './failure.ts';

/**
 * What passes by itself, by SQLSTATE, network code or this store's code. Source: PostgreSQL's appendix A. What is not here is
 * a defect: a code wrongly here is retried in vain until it is given up, one wrongly missing fails a completion at once.
 */
const requeueClasses: Readonly<Record<string, RequeueClass>> = {
  '40P01': 'deadlock',
  '40001': 'serialization',
  '55P03': 'lock_wait',
  '57014': 'timeout',
  // Idle in a transaction; a transaction's own time limit.
  '25P03': 'timeout',
  '25P04': 'timeout',
  '57P01': 'server_unavailable',
  '57P02': 'server_unavailable',
  '57P03': 'server_unavailable',
  '57P05': 'connection_lost',
  '53100': 'disk_full',
  '53200': 'server_unavailable',
  '53300': 'too_many_connections',
  // Read-only after a failover; an I/O error.
  '25006': 'server_unavailable',
  '58030': 'server_unavailable',
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  ECONNABORTED: 'connection_lost',
  ETIMEDOUT: 'connection_lost',
  connection_closed: 'connection_lost',
  ECONNREFUSED: 'server_unavailable',
  ENOENT: 'server_unavailable',
  EHOSTUNREACH: 'server_unavailable',
  ENETUNREACH: 'server_unavailable',
  ENOTFOUND: 'server_unavailable',
  EAI_AGAIN: 'server_unavailable',
  connect_timeout: 'server_unavailable',
};

function requeueClass({ code, isServerError, isStaleStatement }: PostgresFailure): RequeueClass | undefined {
  if (isStaleStatement) return 'connection_lost';
  return requeueClasses[code] ?? (isServerError && code.startsWith('08') ? 'connection_lost' : undefined);
}

function describe({ code, isServerError, statement, constraint, words }: PostgresFailure): string {
  const at = statement === '' ? '' : `${statement}: `;
  const on = constraint === undefined ? '' : `, constraint ${constraint}`;
  return `PostgreSQL: ${at}${isServerError ? 'SQLSTATE ' : ''}${code}${on}${words === '' ? '' : `: ${words}`}`;
}

/** A failure → its class. The message names the statement, the code and the constraint: never a text or a value. */
export function classify(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (!(error instanceof PostgresFailure)) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
    return new StoreError('driver_error', { class: 'defect' }, message, error);
  }
  const { code, commit, statement } = error;
  if (statement === allocation.statement && code === allocation.mismatch)
    return new StoreError('sequence_mismatch', { class: 'defect' }, "a run's sequence is not what its lock showed");
  const message = describe(error);
  if (commit === 'unanswered')
    return new StoreError(code, { class: 'unknown' }, `${message}; COMMIT had been sent`, error);
  const found = requeueClass(error);
  return new StoreError(code, found ? { class: 'requeue', requeueClass: found } : { class: 'defect' }, message, error);
}
