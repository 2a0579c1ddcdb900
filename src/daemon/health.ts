import type { PingAnswer } from '../pool/protocol.ts';
import { EventLoopLag } from './event-loop-lag.ts';

/** How often the database and the queue are asked. */
const probeIntervalMs = 1_000;
/** A probe that has not answered for so long counts as failed. */
const probeTimeoutMs = 5_000;
/** Jobs that wait while nothing is taken for so long: the daemon is alive and does nothing. Longer than a database's outage
 * that it should live through would need; shorter than a person's patience. */
const stuckAfterMs = 60_000;

/** An event loop that is late by so much between two probes renews no lock in time. */
const lateMs = 1_000;

/** What health is made of. */
export interface HealthProbes {
  readonly pingDatabase: () => Promise<PingAnswer>;
  /** Jobs that wait; rejects while the queue cannot be reached. */
  readonly countWaiting: () => Promise<number>;
  /** When a job was last answered, milliseconds since the epoch. */
  readonly lastVerdictAtMs: () => number;
}

function within<T>(probe: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${probeTimeoutMs} ms`)), probeTimeoutMs);
  });
  return Promise.race([probe, timeout]).finally(() => clearTimeout(timer));
}

/**
 * Liveness and readiness, from probes of their own pace: an endpoint only reads what they found. A daemon whose database is
 * away is live and not ready; one that takes no job while jobs wait is not live, and the orchestrator restarts it.
 */
export class Health {
  readonly #probes: HealthProbes;
  #timer: NodeJS.Timeout | undefined;
  #database: string | undefined = 'the database has not answered yet';
  #queue: string | undefined = 'the queue has not answered yet';
  readonly #lag = new EventLoopLag();
  #lagMs = 0;
  #draining = false;
  #stuckSinceMs: number | undefined;

  constructor(probes: HealthProbes) {
    this.#probes = probes;
  }

  /** Probes regularly. */
  start(): void {
    this.#lag.start();
    this.#schedule();
  }

  #schedule(): void {
    this.#timer = setTimeout(() => void this.look().finally(() => this.#schedule()), probeIntervalMs);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#lag.stop();
  }

  /** From now on not ready: no new work is taken. */
  startDraining(): void {
    this.#draining = true;
  }

  readinessProblems(): string[] {
    const draining = this.#draining ? 'draining' : undefined;
    return [draining, this.#database, this.#queue].filter(problem => problem !== undefined);
  }

  livenessProblems(): string[] {
    const stuckMs = Date.now() - (this.#stuckSinceMs ?? Date.now());
    const late = this.#lagMs > lateMs ? `the event loop is ${Math.round(this.#lagMs)} ms late` : undefined;
    const stuck =
      stuckMs > stuckAfterMs ? `jobs wait and none was answered for ${Math.round(stuckMs / 1_000)} s` : undefined;
    return [late, stuck].filter(problem => problem !== undefined);
  }

  /** Probes now. */
  async look(): Promise<void> {
    this.#lagMs = this.#lag.take();
    const [database, waiting] = await Promise.allSettled([
      within(this.#probes.pingDatabase()),
      within(this.#probes.countWaiting()),
    ]);
    this.#database =
      database.status === 'rejected' ? `database: ${database.reason.message}` : problemOf(database.value);
    this.#queue = waiting.status === 'rejected' ? `queue: ${waiting.reason.message}` : undefined;
    this.#noteStuck(waiting.status === 'fulfilled' ? waiting.value : 0);
  }

  /** Jobs wait, the database is there, and no job has been answered since: only then is this daemon to blame. */
  #noteStuck(waiting: number): void {
    if (waiting === 0 || this.#database !== undefined || this.#draining) {
      this.#stuckSinceMs = undefined;
      return;
    }
    const lastMs = this.#probes.lastVerdictAtMs();
    this.#stuckSinceMs = Math.max(this.#stuckSinceMs ?? Date.now(), lastMs);
  }
}

function problemOf({ reachable, upToDate, schemaVersion, message }: PingAnswer): string | undefined {
  if (!reachable) return `database: ${message}`;
  return upToDate
    ? undefined
    : `database: schema version ${schemaVersion} is not this build's; run completiond migrate`;
}
