import type { RequeueClass } from '../../pool/protocol.ts';
import { StoreError } from '../store-error.ts';

/** Result codes that pass by themselves. Source: sqlite.org/rescode.html; better-sqlite3 gives them as `code`. */
const requeueClasses: readonly (readonly [prefix: string, RequeueClass])[] = [
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'disk_full'],
  ['SQLITE_IOERR', 'server_unavailable'],
  ['SQLITE_CANTOPEN', 'server_unavailable'],
  ['SQLITE_PROTOCOL', 'busy'],
];

/** COMMIT answers before `commit()` returns, so the outcome of a SQLite transaction is always known. */
export function classify(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = String((error as { code?: unknown } | null)?.code ?? 'unknown_error');
  const found = requeueClasses.find(([prefix]) => code.startsWith(prefix));
  if (found) return new StoreError(code, { class: 'requeue', requeueClass: found[1] }, `SQLite: ${code}`, error);
  return new StoreError(
    code,
    { class: 'defect' },
    `SQLite: ${code}: ${error instanceof Error ? error.message : ''}`,
    error,
  );
}
