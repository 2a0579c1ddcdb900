import { beatIntervalMs, type Heartbeats } from './heartbeats.ts';

/**
 * Finds threads that are silent for too long. It counts its own looks instead of reading a clock: a process that was
 * suspended as a whole wakes up with every thread silent and none to blame.
 */
export class Silence {
  readonly #heartbeats: Heartbeats;
  readonly #limitMs: number;
  readonly #seen = new Map<number, { beats: number; looks: number }>();

  /** @param limitMs of silence, counted in looks that are `beatIntervalMs` apart. */
  constructor(heartbeats: Heartbeats, limitMs: number) {
    this.#heartbeats = heartbeats;
    this.#limitMs = limitMs;
  }

  /** One look, due every `beatIntervalMs`. @returns the threads that are over the limit; one that never began is still loading. */
  look(threadIds: readonly number[]): readonly number[] {
    for (const known of this.#seen.keys()) if (!threadIds.includes(known)) this.#seen.delete(known);
    return threadIds.filter(threadId => {
      const beats = this.#heartbeats.of(threadId);
      const seen = this.#seen.get(threadId);
      const looks = beats > 0 && seen?.beats === beats ? seen.looks + 1 : 0;
      this.#seen.set(threadId, { beats, looks });
      return looks * beatIntervalMs > this.#limitMs;
    });
  }
}
