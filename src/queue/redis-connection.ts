import { createRedisBackend } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type { ConnectionErrorListener, QueueConnection, QueueRole, QueueSettings } from './connect.ts';
import { tlsOptions } from './tls.ts';

const connectTimeoutMs = 3_000;
const maxReconnectDelayMs = 2_000;

/** ioredis's own types disagree on this option; it is not used here. */
type Options = Omit<RedisOptions, 'replyMapping'>;

const common: Options = {
  connectTimeout: connectTimeoutMs,
  retryStrategy: times => Math.min(times * 50, maxReconnectDelayMs),
};

/** A producer's commands fail at once while Redis is away; a consumer's wait. */
const byRole: Record<QueueRole, Options> = {
  producer: { ...common, enableOfflineQueue: false, maxRetriesPerRequest: 1 },
  consumer: { ...common, maxRetriesPerRequest: null },
};

/** BullMQ on Redis. */
export function connectRedis(
  settings: QueueSettings,
  role: QueueRole,
  onError: ConnectionErrorListener,
): QueueConnection {
  const tls = tlsOptions(settings.tls);
  const options: Options = { ...byRole[role], ...(tls && { tls }) };
  const redis = new Redis(settings.url, options);
  redis.on('error', onError);
  let blocking: Redis | undefined;
  return {
    settings,
    connection: redis,
    blocking() {
      if (role === 'consumer') return redis;
      blocking ??= redis.duplicate(byRole.consumer).on('error', onError);
      return blocking;
    },
    backend: createRedisBackend,
    notifies: true,
    keepsAnyText: true,
    drainDelay: 5,
    async warnings() {
      const [, policy] = (await redis.config('GET', 'maxmemory-policy')) as [string?, string?];
      return policy === undefined || policy === 'noeviction'
        ? []
        : [`Redis evicts keys (maxmemory-policy ${policy}): jobs can get lost; set it to noeviction`];
    },
    async close() {
      redis.disconnect();
      blocking?.disconnect();
    },
  };
}
