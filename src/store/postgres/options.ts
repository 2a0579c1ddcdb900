import type { ClientConfig } from 'pg';
import { tlsOptions } from '../../../config/tls.ts';
import type { OpenOptions } from '../open-store.ts';
import { typeParsers } from './values.ts';

type Database = OpenOptions['database'];

/** To reach the server, and to wait for a free connection of the pool. */
const connectTimeoutMs = 10_000;
/** A connection over which nothing has come for so long is looked after by the network itself. */
const keepAliveDelayMs = 10_000;

const tlsParameters = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'uselibpqcompat'];
/** What a URL may say; anything else the driver would put over the settings below. */
const knownParameters = new Set([...tlsParameters, 'host', 'port', 'user', 'password', 'application_name']);

/** Limits of one session in milliseconds; 0 is none. */
export interface Limits {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
}

/** Text is UTF-8, times are UTC and ISO, doubles exact, limits hold, whatever the database or the role says. */
function startupOptions({ statementTimeoutMs, lockTimeoutMs }: Limits): string {
  const settings = {
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    client_encoding: 'UTF8',
    extra_float_digits: 1,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** The URL without what the TLS setting replaces. */
function connectionString({ url, tls }: Database): string {
  const [base = '', text = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(text);
  const unknown = [...parameters.keys()].filter(key => !knownParameters.has(key));
  if (unknown.length > 0) throw new TypeError(`database.url: unknown parameters ${unknown.join(', ')}`);
  if (tls) for (const name of tlsParameters) parameters.delete(name);
  return parameters.size === 0 ? base : `${base}?${parameters}`;
}

/**
 * `postgres://user:password@host:port/database`, also `postgresql://…` and `?host=DIRECTORY` of a socket. Without limits the
 * session is left as it is: a pooler in transaction mode takes no settings at connect.
 * @throws TypeError when the URL has a parameter that would change what the store relies on.
 */
export function clientConfig(database: Database, limits: Limits | undefined): ClientConfig {
  return {
    connectionString: connectionString(database),
    pipeline: true,
    types: typeParsers,
    application_name: 'completiond',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    ...(database.tls === undefined ? {} : { ssl: tlsOptions(database.tls) }),
    ...(limits === undefined ? {} : { options: startupOptions(limits) }),
  };
}
