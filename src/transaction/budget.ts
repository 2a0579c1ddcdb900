import { Refusal } from '../completion/refusal.ts';

/** What one completion may write: settings `limits.completion*`. */
export interface BudgetLimits {
  readonly completionEvents: number;
  readonly completionRows: number;
  readonly completionBytes: number;
}

/** Counts what a completion writes, in any run, and refuses what is over. Bytes are the estimate that bounds INSERTs. */
export class Budget {
  readonly #limits: BudgetLimits;
  #events = 0;
  #rows = 0;
  #bytes = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  chargeRow(bytes: number): void {
    this.#rows += 1;
    this.#bytes += bytes;
  }

  /** An event is a row of its own too. */
  chargeEvent(bytes: number): void {
    this.#events += 1;
    this.chargeRow(bytes);
  }

  /** @throws Refusal `completion_budget_exceeded` naming every dimension that is over, its limit and the size. */
  check(): void {
    const { completionEvents, completionRows, completionBytes } = this.#limits;
    const over = [
      { dimension: 'events', size: this.#events, limit: completionEvents, setting: 'limits.completionEvents' },
      { dimension: 'rows', size: this.#rows, limit: completionRows, setting: 'limits.completionRows' },
      { dimension: 'bytes', size: this.#bytes, limit: completionBytes, setting: 'limits.completionBytes' },
    ].filter(({ size, limit }) => size > limit);
    if (over.length === 0) return;
    const list = over.map(
      ({ dimension, size, limit, setting }) => `${size} ${dimension}, the limit is ${limit} (${setting})`,
    );
    throw new Refusal('completion_budget_exceeded', `the completion would write ${list.join('; ')}`);
  }

  get rows(): number {
    return this.#rows;
  }

  get bytes(): number {
    return this.#bytes;
  }
}
