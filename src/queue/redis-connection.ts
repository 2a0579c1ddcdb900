import { createRedisBackend } from 'bullmq';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { tlsOptions } from '../../config/tls.ts';
import type { ConnectionErrorListener, QueueConnection, QueueRole, QueueSettings } from './connect.ts';

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

/** A client of one Redis, or of a cluster that the URL's node belongs to. */
function createClient({ url, cluster }: QueueSettings, options: Options): Redis | Cluster {
  if (!cluster) return new Redis(url, options);
  const { enableOfflineQueue = true, retryStrategy = null, ...redisOptions } = options;
  const { username, password, hostname, port, protocol } = new URL(url);
  const auth = {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && !redisOptions.tls && { tls: {} }),
  };
  return new Cluster([{ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 6379) }], {
    enableOfflineQueue,
    redisOptions: { ...redisOptions, ...auth },
    ...(retryStrategy && { clusterRetryStrategy: retryStrategy }),
  });
}

/** Resolves when Redis is ready, rejects with the first error: a Redis that is away refuses within milliseconds. */
function ready(redis: Redis | Cluster): Promise<void> {
  return new Promise((resolve, reject) => {
    redis.once('ready', resolve);
    redis.once('error', reject);
  });
}

/** BullMQ on Redis. @throws the driver's error when a producer's first try to connect fails; a consumer keeps trying. */
export async function connectRedis(
  settings: QueueSettings,
  role: QueueRole,
  onError: ConnectionErrorListener,
): Promise<QueueConnection> {
  const tls = settings.tls && tlsOptions(settings.tls);
  const client = (of: QueueRole) => createClient(settings, { ...byRole[of], ...(tls && { tls }) }).on('error', onError);
  const redis = client(role);
  if (role === 'producer') {
    try {
      await ready(redis);
    } catch (error) {
      redis.disconnect();
      throw error;
    }
  }
  let blocking: Redis | Cluster | undefined;
  return {
    settings,
    connection: redis,
    blocking() {
      if (role === 'consumer') return redis;
      blocking ??= client('consumer');
      return blocking;
    },
    backend: createRedisBackend,
    notifies: true,
    keepsAnyText: true,
    drainDelay: 5,
    // By INFO: hosted servers do not let their users ask for CONFIG.
    async warnings() {
      const [, policy] = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory')) ?? [];
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
