import { createPostgresBackend, PostgresConnection } from 'bullmq';
import pg from 'pg';
import { tlsOptions } from '../../config/tls.ts';
import type { ConnectionErrorListener, QueueConnection, QueueSettings } from './connect.ts';

const connectTimeoutMs = 5_000;
const maxConnections = 10;

/** A schema's name for a queue prefix: BullMQ takes only simple identifiers. */
export function schemaOf(prefix: string): string {
  const name = prefix.replaceAll(/[^A-Za-z0-9_]/g, '_');
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}

/**
 * A client that always has someone who listens: BullMQ listens to its pool, and so to idle clients only. A server that goes
 * between two statements of a transaction would end the process.
 */
function listenedClient(onError: ConnectionErrorListener): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      this.on('error', onError);
    }
  };
}

/** BullMQ on PostgreSQL, by its own backend, in a schema named after the prefix. */
export async function connectPostgres(
  settings: QueueSettings,
  url: string,
  onError: ConnectionErrorListener,
  embedded = false,
): Promise<QueueConnection> {
  const ssl = settings.tls && tlsOptions(settings.tls);
  const connection = {
    connectionString: url,
    schema: schemaOf(settings.prefix),
    migrate: true,
    connectionTimeoutMillis: connectTimeoutMs,
    max: maxConnections,
    Client: listenedClient(onError),
    ...(ssl && { ssl }),
  };
  // The first connection brings BullMQ's own schema up to date, and says at once when the server cannot be reached.
  const first = new PostgresConnection({ ...connection, max: 1 });
  first.on('error', onError);
  try {
    await first.waitUntilReady();
  } finally {
    await first.close();
  }
  return {
    settings,
    connection: connection as unknown as QueueConnection['connection'],
    blocking: () => connection as unknown as QueueConnection['connection'],
    backend: createPostgresBackend as unknown as QueueConnection['backend'],
    notifies: !embedded,
    keepsAnyText: false,
    drainDelay: embedded ? 0.05 : 5,
    warnings: async () => [],
    close: async () => undefined,
  };
}
