/** A thread's place is its id, modulo this: ids grow with every thread that is replaced. */
const places = 1_024;

/** How often a thread gives a sign of life, in milliseconds. */
export const beatIntervalMs = 500;

/** Signs of life of threads, in memory that all of them see: one that computes without end cannot send a message. */
export class Heartbeats {
  /** To be handed to the other threads. */
  readonly memory: SharedArrayBuffer;
  readonly #beats: Int32Array;

  constructor(memory = new SharedArrayBuffer(places * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#beats = new Int32Array(memory);
  }

  /** Gives signs of life as `threadId` for as long as the thread's event loop turns. */
  start(threadId: number): NodeJS.Timeout {
    const beat = () => Atomics.add(this.#beats, threadId % places, 1);
    beat();
    return setInterval(beat, beatIntervalMs).unref();
  }

  /** Signs of life so far. */
  of(threadId: number): number {
    return Atomics.load(this.#beats, threadId % places);
  }
}
