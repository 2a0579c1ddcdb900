import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { RefusalCode } from '../completion/refusal.ts';
import type { ApplyStats, JobTask, Verdict } from '../pool/protocol.ts';
import { addGauges, type Gauges } from './gauges.ts';

const milliseconds = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 15_000];
const queueWaitMs = [5, 10, 50, 100, 500, 1_000, 5_000, 30_000, 60_000, 300_000, 3_600_000];
const counts = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 20_000];
const bytes = [1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 33_554_432];

/** Prometheus metrics of one daemon. Labels are bounded: outcomes, refusal codes, what failed, job states. */
export class Metrics {
  readonly registry = new Registry();
  readonly #completions: Counter;
  readonly #requeues: Counter;
  readonly #unknown: Counter;
  readonly #duplicates: Counter;
  readonly #deadLetters: Counter;
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
    this.#requeues = counter('requeues_total', 'Jobs that were put back with a delay, by what failed.', ['class']);
    this.#unknown = counter(
      'unknown_outcomes_total',
      'Jobs of which only the receipt knows the outcome: a COMMIT was not answered, or a thread died.',
    );
    this.#duplicates = counter('duplicates_absorbed_total', 'Completions that had been stored before.');
    this.#deadLetters = counter('dead_letters_total', 'Jobs that became dead letters, by refusal code.', ['code']);
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
      flushRows: histogram('flush_rows', 'Rows of one flush.', counts),
      flushBytes: histogram('flush_bytes', 'Estimated encoded bytes of one flush.', bytes),
      flushStatements: histogram('flush_statements', 'Statements of one flush.', counts),
    };
    addGauges(this.registry, gauges);
  }

  /** Counts an answered job. @param takenAtMs when it was taken from the queue, milliseconds since the epoch. */
  observe(task: JobTask, verdict: Verdict, takenAtMs: number): void {
    const code = verdict.kind === 'refused' ? verdict.code : '';
    this.#completions.inc({ outcome: verdict.kind, code });
    this.#histograms.queueWait?.observe(Math.max(0, takenAtMs - task.enqueuedAtMs));
    if (verdict.kind === 'unknown') this.#unknown.inc();
    if (verdict.kind !== 'completed') return;
    if (verdict.outcome.recorded) this.#observeStats(verdict.stats);
    else this.#duplicates.inc();
  }

  #observeStats({ flushes, ...costs }: ApplyStats): void {
    const { flushes: number, flushRows, flushBytes, flushStatements } = this.#histograms;
    for (const [name, value] of Object.entries(costs)) this.#histograms[name]?.observe(value);
    number?.observe(flushes.length);
    for (const { rows, bytes, statements } of flushes) {
      flushRows?.observe(rows);
      flushBytes?.observe(bytes);
      flushStatements?.observe(statements);
    }
  }

  /** @param failure a class of requeue, `unknown`, `defect` or `worker_crashed`. */
  countPutBack(failure: string): void {
    this.#requeues.inc({ class: failure });
  }

  countDeadLetter(code: RefusalCode): void {
    this.#deadLetters.inc({ code });
  }

  countStall(): void {
    this.#stalls.inc();
  }
}
