/** How far back the charts look; a daemon that has just started looks back a minute. */
const windowSeconds = 300;
const leastSeconds = 60;

/** Whole seconds as columns of equal length, oldest first; a percentile is null where nothing was completed. */
export interface CompletionSeries {
  /** Seconds since the epoch. */
  readonly seconds: readonly number[];
  readonly completions: readonly number[];
  /** Time under the run's lock, milliseconds. */
  readonly lock_ms_p50: readonly (number | null)[];
  readonly lock_ms_p99: readonly (number | null)[];
}

interface Second {
  readonly completions: number;
  readonly p50: number | null;
  readonly p99: number | null;
}

const quiet: Second = { completions: 0, p50: null, p99: null };

function summarise(lockMs: readonly number[]): Second {
  const sorted = lockMs.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const value = sorted[Math.ceil(sorted.length * share) - 1];
    return value === undefined ? null : Math.round(value * 100) / 100;
  };
  return { completions: sorted.length, p50: at(0.5), p99: at(0.99) };
}

/** The completions of the last minutes by the second. Single times are kept only of the second that runs. */
export class RecentCompletions {
  readonly #seconds = new Map<number, Second>();
  readonly #startSecond: number;
  #second: number;
  #lockMs: number[] = [];

  constructor(nowMs = Date.now()) {
    this.#startSecond = Math.floor(nowMs / 1_000);
    this.#second = this.#startSecond;
  }

  /** Counts a completion. @param lockMs its time under the run's lock. */
  note(lockMs: number, nowMs = Date.now()): void {
    this.#advance(nowMs);
    this.#lockMs.push(lockMs);
  }

  /** The whole seconds before this moment. */
  series(nowMs = Date.now()): CompletionSeries {
    this.#advance(nowMs);
    const length = Math.min(windowSeconds, Math.max(leastSeconds, this.#second - this.#startSecond));
    const seconds = Array.from({ length }, (_, index) => this.#second - length + index);
    const rows = seconds.map(second => this.#seconds.get(second) ?? quiet);
    return {
      seconds,
      completions: rows.map(({ completions }) => completions),
      lock_ms_p50: rows.map(({ p50 }) => p50),
      lock_ms_p99: rows.map(({ p99 }) => p99),
    };
  }

  /** A clock that was set back adds to the second that runs. */
  #advance(nowMs: number): void {
    const second = Math.floor(nowMs / 1_000);
    if (second <= this.#second) return;
    if (this.#lockMs.length > 0) this.#seconds.set(this.#second, summarise(this.#lockMs));
    this.#lockMs = [];
    this.#second = second;
    for (const old of this.#seconds.keys()) if (old < second - windowSeconds) this.#seconds.delete(old);
  }
}
