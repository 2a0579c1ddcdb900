import type { EventDraft, RowDraft } from '../commands/command.ts';
import type { Table } from '../store/table.ts';
import type { RunState } from './run-state.ts';

/** An event waiting for its sequence. */
export interface HeldEvent {
  readonly draft: EventDraft;
  readonly payload: string;
  /** Conservative estimate of the encoded row. */
  readonly bytes: number;
}

/** What was held, by table and by run. */
export interface TakenRows {
  readonly rows: readonly [Table, RowDraft[]][];
  readonly events: readonly [RunState, HeldEvent[]][];
  /** All of them together. */
  readonly count: number;
  readonly bytes: number;
}

/** Rows and events of one transaction that wait for a boundary, in the order they came. Knows nothing of SQL. */
export class HeldRows {
  readonly #rows = new Map<Table, RowDraft[]>();
  readonly #events = new Map<RunState, HeldEvent[]>();
  #count = 0;
  #bytes = 0;

  addRow(draft: RowDraft): void {
    this.#charge(draft.bytes);
    const rows = this.#rows.get(draft.table);
    if (rows === undefined) this.#rows.set(draft.table, [draft]);
    else rows.push(draft);
  }

  addEvent(run: RunState, event: HeldEvent): void {
    this.#charge(event.bytes);
    const events = this.#events.get(run);
    if (events === undefined) this.#events.set(run, [event]);
    else events.push(event);
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0 && this.#events.size === 0;
  }

  /** Hands out everything held, and holds nothing any more. */
  take(): TakenRows {
    const taken = { rows: [...this.#rows], events: [...this.#events], count: this.#count, bytes: this.#bytes };
    this.drop();
    return taken;
  }

  drop(): void {
    this.#rows.clear();
    this.#events.clear();
    this.#count = 0;
    this.#bytes = 0;
  }

  #charge(bytes: number): void {
    this.#count += 1;
    this.#bytes += bytes;
  }
}
