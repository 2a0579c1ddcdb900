import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { JobTask, Verdict } from '../pool/protocol.ts';
import type { QueueCounts } from '../queue/admin.ts';

const milliseconds = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 15_000];
const queueWaitMs = [5, 10, 50, 100, 500, 1_000, 5_000, 30_000, 60_000, 300_000, 3_600_000];
const counts = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 20_000];
const bytes = [1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 33_554_432];

/** Values that are asked for when the metrics are read. */
export interface Gauges {
  readonly poolUtilization: () => number;
  readonly poolWaiting: () => number;
  /** As last asked; undefined while the queue is away. */
  readonly queue: () => QueueCounts | undefined;
  /** Size of SQLite's write-ahead log; undefined for other databases. */
  readonly walBytes: () => number | undefined;
}

/** Prometheus metrics of one daemon. Labels are bounded: outcomes, refusal codes, requeue classes, job states. */
export class Metrics {
  readonly registry = new Registry();
  readonly #completions: Counter;
  readonly #requeues: Counter;
  readonly #unknown: Counter;
  readonly #duplicates: Counter;
  readonly #stalls: Counter;
  readonly #histograms: Readonly<Record<string, Histogram>>;

  constructor(gauges: Gauges) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry, prefix: 'completiond_' });
    const counter = (name: string, help: string, labelNames: string[] = []) =>
      new Counter({ name: `completiond_${name}`, help, labelNames, registers });
    const histogram = (name: string, help: string, buckets: number[]) =>
      new Histogram({ name: `completiond_${name}`, help, buckets, registers });
    this.#completions = counter('completions_total', 'Jobs that were answered, by outcome and refusal code.', [
      'outcome',
      'code',
    ]);
    this.#requeues = counter('requeues_total', 'Jobs that were put back with a delay, by class.', ['class']);
    this.#unknown = counter('unknown_outcomes_total', 'COMMITs that were sent and not answered.');
    this.#duplicates = counter('duplicates_absorbed_total', 'Completions that had been stored before.');
    this.#stalls = counter('stalled_jobs_total', 'Jobs taken back from a worker that gave no sign of life.');
    this.#histograms = {
      queueWait: histogram('queue_wait_ms', 'From enqueued to taken.', queueWaitMs),
      transactionMs: histogram('transaction_ms', 'From begin to commit.', milliseconds),
      lockMs: histogram('lock_held_ms', "Time under the run's lock.", milliseconds),
      lockWaitMs: histogram('lock_wait_ms', "From begin until the run's lock was held.", milliseconds),
      rows: histogram('completion_rows', 'Rows a completion wrote.', counts),
      bytes: histogram('completion_bytes', 'Estimated encoded bytes a completion wrote.', bytes),
      statements: histogram('completion_statements', 'Statements of a completion, begin and commit included.', counts),
      flushes: histogram('completion_flushes', 'Flushes of a completion.', counts),
    };
    this.#addGauges(gauges);
  }

  #addGauges(gauges: Gauges): void {
    const registers = [this.registry];
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
    gauge('wal_bytes', "Size of SQLite's write-ahead log; NaN for other databases.", gauges.walBytes);
    gauge('oldest_waiting_ms', 'Age of the oldest waiting job; NaN while the queue is away.', () => {
      const counts = gauges.queue();
      return counts && (counts.oldest_waiting_ms ?? 0);
    });
    new Gauge({
      name: 'completiond_jobs',
      help: 'Jobs in the queue, by state; failed are the dead letters.',
      labelNames: ['state'],
      registers,
      collect() {
        const { oldest_waiting_ms: _, ...states } = gauges.queue() ?? { oldest_waiting_ms: null };
        this.reset();
        for (const [state, count] of Object.entries(states)) this.set({ state }, count);
      },
    });
  }

  /** Counts an answered job. @param takenAtMs when it was taken from the queue, milliseconds since the epoch. */
  observe(task: JobTask, verdict: Verdict, takenAtMs: number): void {
    const code = verdict.kind === 'refused' ? verdict.code : '';
    this.#completions.inc({ outcome: verdict.kind, code });
    this.#histograms.queueWait?.observe(Math.max(0, takenAtMs - task.enqueuedAtMs));
    if (verdict.kind === 'requeue') this.#requeues.inc({ class: verdict.class });
    if (verdict.kind === 'unknown') this.#unknown.inc();
    if (verdict.kind !== 'completed') return;
    if (!verdict.outcome.recorded) this.#duplicates.inc();
    for (const [name, value] of Object.entries(verdict.stats)) this.#histograms[name]?.observe(value);
  }

  countStall(): void {
    this.#stalls.inc();
  }
}
