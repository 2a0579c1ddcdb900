import type { PoolConnection } from 'mysql2';
import type { Settings } from '../../../config/settings.ts';
import { roundTrip, rowsOf } from './round-trip.ts';
import { allowSilence } from './silence.ts';
import { serverFacts } from './statements.ts';
import type { Bound } from './values.ts';

/** MariaDB and MySQL differ in collations and in names of settings. */
export type Flavour = 'mariadb' | 'mysql';

/** A physical connection's server, once the session is set up. */
export interface Session {
  readonly flavour: Flavour;
  /** As `select version()` says it. */
  readonly version: string;
  /** `max_allowed_packet`: a longer text ends the connection. */
  readonly maxPacketBytes: number;
  /** The most that statements are gathered to before they are sent. */
  readonly textBytes: number;
}

/** Under 16 MiB whatever the server allows, so that no gathered text is split into several packets. */
const maxTextBytes = 12_582_912;

/**
 * Backslash escapes on (the driver escapes with them), strict, every transaction started and ended by us. Rows that a foreign
 * writer locks, by DDL too, are waited for as long as a run's.
 */
const commonSettings = `set names utf8mb4;
set session transaction isolation level read committed;
set session sql_mode = 'strict_all_tables,error_for_division_by_zero,no_zero_date,no_zero_in_date,no_engine_substitution',
  time_zone = '+00:00', autocommit = 1, completion_type = 'NO_CHAIN', innodb_lock_wait_timeout = ?, lock_wait_timeout = ?`;

/**
 * MariaDB's json columns check every document and know 32 levels of nesting: documents here are made by JSON.stringify, and
 * a deeper one is as good. Parameters: statement seconds, idle seconds.
 */
const mariadbSettings = 'set session max_statement_time = ?, idle_transaction_timeout = ?, check_constraint_checks = 0';

/** Of selects only, which is all that MySQL offers. Parameters: statement milliseconds. */
const mysqlSettings = 'set session max_execution_time = ?';

const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000));

/** Asks a new connection for its server and puts the session's settings in force. @throws MysqlFailure. */
export async function prepareSession(connection: PoolConnection, settings: Settings['database']): Promise<Session> {
  const [facts] = await rowsOf(connection, serverFacts);
  const version = String(facts?.version);
  const maxPacketBytes = Number(facts?.max_allowed_packet);
  const flavour = /mariadb/i.test(version) ? 'mariadb' : 'mysql';
  const lockSeconds = wholeSeconds(settings.lockTimeoutMs);
  const { statementTimeoutMs } = settings;
  const [own, values]: [string, Bound[]] =
    flavour === 'mariadb'
      ? [mariadbSettings, [statementTimeoutMs / 1_000, wholeSeconds(statementTimeoutMs)]]
      : [mysqlSettings, [statementTimeoutMs]];
  await roundTrip(connection, [...commonSettings.split(';'), own], [lockSeconds, lockSeconds, ...values]);
  return { flavour, version, maxPacketBytes, textBytes: Math.min(maxTextBytes, Math.floor((maxPacketBytes * 3) / 4)) };
}

/** Lifts the limit of one statement's time, for DDL on large tables. */
export async function liftStatementTimeout(connection: PoolConnection, { flavour }: Session): Promise<void> {
  const [own, values] = flavour === 'mariadb' ? [mariadbSettings, [0, 0]] : [mysqlSettings, [0]];
  await roundTrip(connection, [own], values);
  allowSilence(connection);
}
