import { Gauge, type Registry } from 'prom-client';
import type { QueueCounts } from '../queue/admin.ts';

/** Values that are asked for when the metrics are read. None of them asks the queue or the database. */
export interface Gauges {
  readonly poolUtilization: () => number;
  readonly poolWaiting: () => number;
  readonly inFlight: () => number;
  /** Undefined while the queue is away. */
  readonly queue: () => QueueCounts | undefined;
  /** Size of SQLite's write-ahead log; undefined for other databases. */
  readonly walBytes: () => number | undefined;
}

/** Adds the gauges of a daemon. One that has no value now reads as NaN. */
export function addGauges(registry: Registry, gauges: Gauges): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    new Gauge({
      name: `completiond_${name}`,
      help,
      registers,
      collect() {
        this.set(read() ?? Number.NaN);
      },
    });
  gauge('pool_utilization', 'Share of the worker threads that is busy, 0 to 1.', gauges.poolUtilization);
  gauge('pool_waiting', 'Jobs that wait for a thread.', gauges.poolWaiting);
  gauge('in_flight', 'Jobs that were taken and are not answered yet.', gauges.inFlight);
  gauge('wal_bytes', "Size of SQLite's write-ahead log; NaN for other databases.", gauges.walBytes);
  gauge('oldest_waiting_ms', 'Age of the oldest waiting job; 0 when none waits, NaN while the queue is away.', () => {
    const counts = gauges.queue();
    return counts && (counts.oldest_waiting_ms ?? 0);
  });
  new Gauge({
    name: 'completiond_jobs',
    help: 'Jobs in the queue, by state; the failed ones are the dead letters.',
    labelNames: ['state'],
    registers,
    collect() {
      this.reset();
      const { oldest_waiting_ms: _, ...states } = gauges.queue() ?? {};
      for (const [state, count] of Object.entries(states)) this.set({ state }, count);
    },
  });
}
