import type { Grammar } from '../statement.ts';

/** MariaDB knows no `for update of`: both lock every row that the select returns, of each table it joins. */
export const grammar: Grammar = { forUpdate: 'for update', forUpdateSkipLocked: 'for update skip locked' };

export const beginTransaction = 'begin';
export const commitTransaction = 'commit';
export const rollbackTransaction = 'rollback';

/**
 * Answers the new sequence as the insert id of its OK packet. A run whose sequence is not the expected one gets null, which
 * the column and strict mode refuse (errno 1048): so the server itself stops before a COMMIT that is already on its way.
 * Parameters: count, expected sequence, expected sequence, run id.
 */
export const allocateSequences = `update workflow_runs
  set last_history_sequence = last_insert_id(case when last_history_sequence + ? = ? then ? end) where id = ?`;

/** What must be known of a server before its session can be set up. */
export const serverFacts = 'select version() as version, @@max_allowed_packet as max_allowed_packet';

/**
 * One migration at a time on a database: lock names are the server's, so the database is part of the name.
 * Parameters: seconds to wait.
 */
export const takeMigrationLock = `select get_lock(concat('completiond:', md5(database())), ?) as taken`;
export const releaseMigrationLock = `select release_lock(concat('completiond:', md5(database()))) as released`;

/** A negative version is a migration that has begun: DDL has no transactions here. Parameters: version, name, applied at. */
export const insertLedgerRow = 'insert into completiond_migrations (version, name, applied_at) values (?, ?, ?)';

/** Parameters: version, applied at, negative version. */
export const finishLedgerRow = 'update completiond_migrations set version = ?, applied_at = ? where version = ?';

/** Parameters: negative version. */
export const begunMigration = 'select version from completiond_migrations where version = ?';

export const ledgerVersion =
  'select coalesce(max(version), 0) as version from completiond_migrations where version > 0';

/** Tables of this database with the names a migration is about to create. Parameters: list of names. */
export const tablesInTheWay = `select table_name as name from information_schema.tables
  where table_schema = database() and table_name in (?)`;
