import type { RequeueClass } from '../../pool/protocol.ts';
import { StoreError } from '../store-error.ts';
import { closedBefore, MysqlFailure } from './failure.ts';

/**
 * Server errors that pass by themselves, by number: mysql2 takes names from MySQL's list, where MariaDB's numbers mean other
 * things. Source: the error references of both servers. What is not here is a defect: a number wrongly here is retried in
 * vain until it is given up, one wrongly missing fails a completion at once.
 */
const requeueClasses: ReadonlyMap<number, RequeueClass> = new Map<number, RequeueClass>([
  [1213, 'deadlock'],
  [3058, 'deadlock'],
  [1205, 'lock_wait'],
  // Record has changed since last read; conflicts that a cluster finds at commit.
  [1020, 'serialization'],
  [3101, 'serialization'],
  [1637, 'busy'],
  [1028, 'timeout'],
  [1317, 'timeout'],
  [1969, 'timeout'],
  [3024, 'timeout'],
  [3572, 'timeout'],
  [1040, 'too_many_connections'],
  [1203, 'too_many_connections'],
  [1226, 'too_many_connections'],
  [3, 'disk_full'],
  [28, 'disk_full'],
  [1021, 'disk_full'],
  [1114, 'disk_full'],
  [1158, 'connection_lost'],
  [1159, 'connection_lost'],
  [1160, 'connection_lost'],
  [1161, 'connection_lost'],
  [1927, 'connection_lost'],
  [2006, 'connection_lost'],
  [2013, 'connection_lost'],
  [4031, 'connection_lost'],
  // Shutting down, out of memory or threads, blocked host, cluster node not ready, read-only after a failover.
  [1030, 'server_unavailable'],
  [1037, 'server_unavailable'],
  [1038, 'server_unavailable'],
  [1041, 'server_unavailable'],
  [1047, 'server_unavailable'],
  [1053, 'server_unavailable'],
  [1077, 'server_unavailable'],
  [1079, 'server_unavailable'],
  [1129, 'server_unavailable'],
  [1135, 'server_unavailable'],
  [1290, 'server_unavailable'],
  [1792, 'server_unavailable'],
  [1836, 'server_unavailable'],
  [3032, 'server_unavailable'],
  [9001, 'server_unavailable'],
]);

/** Answers to COMMIT itself that say the connection or the server was going, not what became of the transaction. */
const commitDoubts = new Set([1028, 1053, 1077, 1079, 1180, 1317, 1927, 1969, 2006, 2013, 3024, 4031]);

const driverClasses: Readonly<Record<string, RequeueClass>> = {
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  ECONNABORTED: 'connection_lost',
  PROTOCOL_CONNECTION_LOST: 'connection_lost',
  [closedBefore]: 'connection_lost',
  ECONNREFUSED: 'server_unavailable',
  ENOENT: 'server_unavailable',
  EHOSTUNREACH: 'server_unavailable',
  ENETUNREACH: 'server_unavailable',
  ENOTFOUND: 'server_unavailable',
  EAI_AGAIN: 'server_unavailable',
  ETIMEDOUT: 'server_unavailable',
};

function requeueClass({ errno, sqlState, code }: MysqlFailure): RequeueClass | undefined {
  if (errno === undefined) return driverClasses[code];
  if (sqlState === '40001') return requeueClasses.get(errno) ?? 'deadlock';
  return requeueClasses.get(errno) ?? (sqlState.startsWith('08') ? 'connection_lost' : undefined);
}

/** What people get wrong before the first statement, in words: the server's own would quote the user and the host. */
const words: ReadonlyMap<number, string> = new Map([
  [1044, 'access denied'],
  [1045, 'access denied'],
  [1049, 'no such database'],
  [1130, 'this host may not connect'],
]);

function describe({ errno, sqlState, code, statement, tlsReason }: MysqlFailure): string {
  const at = statement === '' ? '' : `${statement}: `;
  if (errno === undefined) return `MySQL: ${at}${code}${tlsReason && `: ${tlsReason}`}`;
  const said = words.get(errno);
  return `MySQL: ${at}error ${code}, SQLSTATE ${sqlState}${said ? `: ${said}` : ''}`;
}

/** A failure → its class. The message names the statement and the code: never a text, a value or what the server quoted. */
export function classify(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (!(error instanceof MysqlFailure)) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
    return new StoreError('driver_error', { class: 'defect' }, message, error);
  }
  const { errno, code, commit } = error;
  const message = describe(error);
  if (commit === 'unanswered' || (commit === 'refused' && errno !== undefined && commitDoubts.has(errno)))
    return new StoreError(code, { class: 'unknown' }, `${message}; COMMIT had been sent`, error);
  const found = requeueClass(error);
  return new StoreError(code, found ? { class: 'requeue', requeueClass: found } : { class: 'defect' }, message, error);
}
