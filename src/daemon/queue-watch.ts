import type { QueueCounts } from '../queue/admin.ts';

/** The queue's counts as they were when last asked; whoever looks at them costs the queue nothing. */
export class QueueWatch {
  readonly #read: () => Promise<QueueCounts>;
  #latest: QueueCounts | undefined;

  constructor(read: () => Promise<QueueCounts>) {
    this.#read = read;
  }

  /** Undefined before the first answer, and while the queue is away. */
  get latest(): QueueCounts | undefined {
    return this.#latest;
  }

  /** Asks the queue. */
  async look(): Promise<QueueCounts> {
    try {
      this.#latest = await this.#read();
      return this.#latest;
    } catch (error) {
      this.#latest = undefined;
      throw error;
    }
  }
}
