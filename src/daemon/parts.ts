import { statSync } from 'node:fs';
import type { ApplyPool } from '../pool/pool.ts';
import type { QueueAdmin } from '../queue/admin.ts';
import type { Consumer } from '../queue/consumer.ts';
import type { DatabaseFacts } from './check-database.ts';
import type { HealthProbes } from './health.ts';
import type { Gauges } from './metrics.ts';

/** What of a daemon is up so far: the endpoints answer from the first moment on. */
export interface Parts {
  database?: DatabaseFacts;
  pool?: ApplyPool;
  admin?: QueueAdmin;
  consumer?: Consumer;
}

const notYet = () => Promise.reject(new Error('not connected yet'));

/** What health asks of the parts. */
export function probesOf(parts: Parts): HealthProbes {
  return {
    pingDatabase: () => parts.pool?.ping() ?? notYet(),
    countWaiting: () => parts.admin?.counts().then(({ waiting }) => waiting) ?? notYet(),
    lastVerdictAtMs: () => parts.consumer?.lastVerdictAtMs ?? Date.now(),
    inFlight: () => parts.consumer?.inFlight ?? 0,
  };
}

/** What the metrics ask of the parts. */
export function gaugesOf(parts: Parts): Gauges {
  return {
    poolUtilization: () => parts.pool?.utilization ?? 0,
    poolWaiting: () => parts.pool?.waiting ?? 0,
    queue: async () => {
      const counts = await parts.admin?.counts().catch(() => undefined);
      return counts && { ...counts, oldest_waiting_ms: counts.oldest_waiting_ms ?? 0 };
    },
    walBytes: () => {
      const walFile = parts.database?.walFile;
      return walFile === undefined ? undefined : statSync(walFile, { throwIfNoEntry: false })?.size;
    },
  };
}
