import { statSync } from 'node:fs';
import type { ApplyPool } from '../pool/pool.ts';
import type { QueueAdmin } from '../queue/admin.ts';
import type { Consumer } from '../queue/consumer.ts';
import type { DatabaseFacts } from './check-database.ts';
import type { Gauges } from './gauges.ts';
import type { HealthProbes } from './health.ts';
import { QueueWatch } from './queue-watch.ts';
import { RecentCompletions } from './recent-completions.ts';
import { RecentRefusals } from './recent-refusals.ts';

const notYet = () => Promise.reject(new Error('not connected yet'));

/** What of a daemon is up so far: the endpoints answer from the first moment on. */
export class Parts {
  database?: DatabaseFacts;
  pool?: ApplyPool;
  admin?: QueueAdmin;
  consumer?: Consumer;
  readonly watch = new QueueWatch(() => this.admin?.counts() ?? notYet());
  readonly completions = new RecentCompletions();
  readonly refusals = new RecentRefusals();
}

/** What health asks of the parts. */
export function probesOf(parts: Parts): HealthProbes {
  return {
    pingDatabase: () => parts.pool?.ping() ?? notYet(),
    countWaiting: () => parts.watch.look().then(({ waiting }) => waiting),
    lastVerdictAtMs: () => parts.consumer?.lastVerdictAtMs ?? Date.now(),
  };
}

/** What the metrics ask of the parts. */
export function gaugesOf(parts: Parts): Gauges {
  return {
    poolUtilization: () => parts.pool?.utilization ?? 0,
    poolWaiting: () => parts.pool?.waiting ?? 0,
    inFlight: () => parts.consumer?.inFlight ?? 0,
    queue: () => parts.watch.latest,
    walBytes: () => {
      const walFile = parts.database?.walFile;
      return walFile === undefined ? undefined : statSync(walFile, { throwIfNoEntry: false })?.size;
    },
  };
}
