import { isIP } from 'node:net';
import type { PoolOptions, SslOptions } from 'mysql2';
import { tlsOptions } from '../../../config/tls.ts';
import type { OpenOptions } from '../open-store.ts';

type Tls = NonNullable<OpenOptions['database']['tls']>;

/** The host's name is checked against the certificate, which an address cannot be here. */
function sslOptions(tls: Tls, host: string): SslOptions {
  return { ...tlsOptions(tls), verifyIdentity: tls.rejectUnauthorized && isIP(host) === 0 };
}

/**
 * `mysql://user:password@host:port/database`, also `mariadb://…`, and `?socketPath=PATH` instead of a host. Values come back
 * as exact text: the store converts them.
 * @throws TypeError when the URL names no database or has another parameter.
 */
export function poolOptions({ database, connections }: OpenOptions): PoolOptions {
  const url = new URL(database.url);
  const name = decodeURIComponent(url.pathname.slice(1));
  if (name === '') throw new TypeError('database.url names no database');
  const unknown = [...url.searchParams.keys()].filter(key => key !== 'socketPath');
  if (unknown.length > 0) throw new TypeError(`database.url: unknown parameters ${unknown.join(', ')}`);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1') || 'localhost';
  const socketPath = url.searchParams.get('socketPath');
  return {
    ...(socketPath === null ? { host, port: Number(url.port || 3306) } : { socketPath }),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: name,
    connectionLimit: connections,
    multipleStatements: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    dateStrings: true,
    timezone: 'Z',
    charset: 'utf8mb4',
    trace: false,
    // mysql2 3.24 adds a double up digit by digit and misses its last place; Number() of the text does not.
    typeCast: (field, next) => (field.type === 'DOUBLE' ? field.string('ascii') : next()),
    // A server must not ask for files of this machine.
    flags: ['-LOCAL_FILES'],
    ...(database.tls === undefined ? {} : { ssl: sslOptions(database.tls, host) }),
  };
}
