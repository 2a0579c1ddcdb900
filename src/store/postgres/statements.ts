import type { Grammar } from '../statement.ts';

/**
 * Both lock every row that the select returns, of each table it joins: a row that was waited for is then read again, and so
 * is what it is joined with. With `of`, the other table's row would be the one from before the wait.
 */
export const grammar: Grammar = { forUpdate: 'for update', forUpdateSkipLocked: 'for update skip locked' };

export const beginTransaction = 'begin isolation level read committed';
export const commitTransaction = 'commit';
export const rollbackTransaction = 'rollback';

/** Settings of one transaction. Parameters: statement, lock and idle milliseconds as text. */
export const setLocal = `select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true),
  set_config('extra_float_digits', '1', true), set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
  set_config('idle_in_transaction_session_timeout', $3, true)`;

/**
 * A run that is missing or whose sequence is not the expected one makes the server divide by zero: so the server itself
 * refuses a COMMIT that is already on its way. Parameters: count, run id, expected sequence.
 */
export const allocateSequences = `with allocated as (
    update workflow_runs set last_history_sequence = last_history_sequence + $1 where id = $2
    returning last_history_sequence)
  select 1 / count(*) as runs from allocated where last_history_sequence = $3`;

/** One migration run at a time on a database, until its transaction ends. Advisory locks are the database's. */
export const takeMigrationLock = 'select pg_advisory_xact_lock(7164019482216358145)';

/** Null without a ledger. */
export const ledgerTable = `select to_regclass('completiond_migrations') is not null as is_there`;
export const ledgerVersion = 'select coalesce(max(version), 0) as version from completiond_migrations';

/** Parameters: version, name, applied at. */
export const insertLedgerRow = 'insert into completiond_migrations (version, name, applied_at) values ($1, $2, $3)';

export const serverFacts = `select current_setting('server_version_num')::int as version_number,
  current_setting('server_version') as version, current_setting('server_encoding') as encoding,
  current_setting('timezone') as zone, current_setting('fsync')::boolean as has_fsync,
  current_setting('synchronous_commit') as synchronous_commit,
  pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only`;
