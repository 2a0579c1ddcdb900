import type { BackendFactory, ConnectionOptions, RedisQueueBackend } from 'bullmq';
import type { Settings } from '../../config/settings.ts';

export type QueueSettings = Settings['queue'];

/** Who connects: a producer fails fast, a consumer waits for a queue that is away. */
export type QueueRole = 'producer' | 'consumer';

/** A way to the queue: what BullMQ's classes take, and what differs between the three kinds of queue. */
export interface QueueConnection {
  readonly settings: QueueSettings;
  readonly connection: ConnectionOptions;
  /** The same for a class that blocks while it waits for events. */
  readonly blocking: () => ConnectionOptions;
  /** BullMQ's backend, under the one type that its classes have by default. */
  readonly backend: BackendFactory<RedisQueueBackend>;
  /** Whether a job's end reaches those who wait for it as an event. Where not, they look. */
  readonly notifies: boolean;
  /** Whether any text can be stored in a job: jsonb refuses U+0000 and lone surrogates. */
  readonly keepsAnyText: boolean;
  /** Seconds that an idle worker sleeps before it looks again. */
  readonly drainDelay: number;
  /** Facts about the server that people should know of, one line each. */
  warnings(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Told of errors on idle connections: a restart of the server must never end the process. */
export type ConnectionErrorListener = (error: Error) => void;

/** The queue behind a URL. Drivers are imported on demand. */
export async function connectQueue(
  settings: QueueSettings,
  role: QueueRole,
  onError: ConnectionErrorListener = () => undefined,
): Promise<QueueConnection> {
  switch (settings.url.slice(0, settings.url.indexOf(':'))) {
    case 'redis':
    case 'rediss':
      return (await import('./redis-connection.ts')).connectRedis(settings, role, onError);
    case 'postgres':
    case 'postgresql':
      return (await import('./postgres-connection.ts')).connectPostgres(settings, settings.url, onError);
    default:
      return (await import('./embedded-connection.ts')).connectEmbedded(settings, onError);
  }
}
