import type { RawRow } from '../connection.ts';
import { collations } from './migrations.ts';
import type { Checkout } from './pool.ts';
import { rowsOf } from './round-trip.ts';
import type { Flavour } from './session.ts';

/** A row of 2 MiB of quotation marks takes 8 MiB as an event. */
const minPacketBytes = 16_777_216;

const minVersions: Readonly<Record<Flavour, readonly [major: number, minor: number]>> = {
  mariadb: [10, 6],
  mysql: [8, 0],
};

const isolationVariable: Readonly<Record<Flavour, string>> = {
  mariadb: '@@tx_isolation',
  mysql: '@@transaction_isolation',
};

/** Parameters: collation. */
const inForce = (flavour: Flavour) => `select
  @@character_set_client as client_charset, @@character_set_connection as connection_charset,
  ${isolationVariable[flavour]} as isolation, @@sql_mode as sql_mode, @@global.read_only as read_only,
  @@innodb_flush_log_at_trx_commit as flush_log, @@autocommit as autocommit,
  (select support from information_schema.engines where engine = 'InnoDB') as innodb,
  (select count(*) from information_schema.collations where collation_name = ?) as collation_known`;

/** Tables of the schema that do not compare byte for byte or have no transactions. Parameters: collation. */
const wrongTables = `select table_name as name from information_schema.tables
  where table_schema = database() and table_type = 'BASE TABLE'
    and (table_name like 'workflow\\_%' or table_name like 'activity\\_%')
    and (engine <> 'InnoDB' or table_collation <> ?)`;

function isOld(version: string, [major, minor]: readonly [number, number]): boolean {
  const [has = 0, hasMinor = 0] = version
    .replace(/^5\.5\.5-/, '')
    .split('.')
    .map(Number.parseFloat);
  return has < major || (has === major && hasMinor < minor);
}

/** What of this server would break the contract, one line each. @throws MysqlFailure. */
export async function serverProblems({ connection, session }: Checkout): Promise<readonly string[]> {
  const { flavour, version, maxPacketBytes } = session;
  const collation = collations[flavour];
  const minVersion = minVersions[flavour];
  const [row = {}] = await rowsOf(connection, inForce(flavour), [collation]);
  const tables = await rowsOf(connection, wrongTables, [collation]);
  const is = (name: keyof RawRow, ...wanted: string[]) => wanted.includes(String(row[name]).toLowerCase());
  const checks: readonly (readonly [isWrong: boolean, problem: string])[] = [
    [isOld(version, minVersion), `${flavour} ${version} is too old: ${minVersion.join('.')} or newer is needed`],
    [!is('client_charset', 'utf8mb4') || !is('connection_charset', 'utf8mb4'), 'the session is not in utf8mb4'],
    [!is('collation_known', '1'), `the server has no collation ${collation}`],
    [maxPacketBytes < minPacketBytes, `max_allowed_packet is ${maxPacketBytes}: ${minPacketBytes} or more is needed`],
    [!is('isolation', 'read-committed'), `the isolation level is ${row.isolation}, not READ-COMMITTED`],
    [!/strict_all_tables/i.test(String(row.sql_mode)), 'sql_mode is not strict'],
    [/no_backslash_escapes/i.test(String(row.sql_mode)), 'sql_mode has NO_BACKSLASH_ESCAPES'],
    [!is('autocommit', '1'), 'autocommit is off'],
    [!is('innodb', 'yes', 'default'), 'the server has no InnoDB'],
    [!is('read_only', '0', 'off'), 'the server is read-only'],
    [is('flush_log', '0'), 'innodb_flush_log_at_trx_commit is 0: a crash of the server loses committed completions'],
    ...tables.map(({ name }) => [true, `table ${name} is not InnoDB with collation ${collation}`] as const),
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, problem]) => problem);
}
