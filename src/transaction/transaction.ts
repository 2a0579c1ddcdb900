import type { RowDraft } from '../commands/command.ts';
import type { ApplyStats, FlushCost } from '../pool/protocol.ts';
import type { Instant } from '../store/instant.ts';
import type { Columns, Query, Row, Value, Write } from '../store/statement.ts';
import { endRunRow, updateRun, updateSummary } from '../store/statements/runs.ts';
import { firstOpenWait } from '../store/statements/waits.ts';
import type { StoreTransaction } from '../store/store.ts';
import { Budget } from './budget.ts';
import { Drafting, type DraftSource } from './drafting.ts';
import { type FlushBounds, flush } from './flush.ts';
import { type HeldEvent, HeldRows } from './held-rows.ts';
import type { PendingLimits } from './load-state.ts';
import type { CompletionLimits } from './prepare-completion.ts';
import { summaryValues } from './projections/summary.ts';
import { openWaitOf } from './projections/waits.ts';
import type { RunState } from './run-state.ts';

/** Settings that a transaction works by. */
export interface TransactionSettings {
  readonly flush: { readonly rows: number; readonly bytes: number };
  readonly limits: CompletionLimits &
    PendingLimits & { readonly searchAttributeBytes: number; readonly memoBytes: number };
}

/**
 * The open transaction: what is held, the budget, and the runs it changed. Held rows reach the database at a boundary;
 * a rollback simply lets go of this object, and no flush follows.
 */
export class OpenTransaction {
  readonly store: StoreTransaction;
  readonly drafting: Drafting;
  readonly settings: TransactionSettings;
  readonly createdTaskIds: string[] = [];
  readonly #held = new HeldRows();
  readonly #budget: Budget;
  readonly #bounds: FlushBounds;
  readonly #runs = new Map<string, RunState>();
  readonly #flushes: FlushCost[] = [];

  constructor(store: StoreTransaction, settings: TransactionSettings, maxParameters: number, source: DraftSource) {
    this.store = store;
    this.drafting = new Drafting(source);
    this.settings = settings;
    this.#budget = new Budget(settings.limits);
    this.#bounds = { ...settings.flush, maxParameters };
  }

  /** Registers a locked run: it is written back at the end. */
  addRun(run: RunState): void {
    this.#runs.set(run.id, run);
  }

  holdRow(draft: RowDraft): void {
    this.#budget.chargeRow(draft.bytes);
    this.#held.addRow(draft);
  }

  holdEvent(run: RunState, event: HeldEvent): void {
    this.#budget.chargeEvent(event.bytes);
    this.#held.addEvent(run, event);
    run.historyEventCount += 1n;
    run.historySizeBytes += BigInt(Buffer.byteLength(event.payload));
  }

  /** Writes what is held. @throws Refusal when it is over the budget or a run has no sequence left. */
  boundary(): void {
    this.#budget.check();
    const cost = flush(this.store, this.#held, this.#bounds, this.drafting.now);
    if (cost) this.#flushes.push(cost);
  }

  write(statement: Write, values: readonly Value[]): void {
    this.store.write(statement, values);
  }

  read<C extends Columns>(statement: Query<C>, values: readonly Value[]): Promise<readonly Row<C>[]> {
    this.boundary();
    return this.store.read(statement, values);
  }

  /** The last boundary, then every changed run with its summary. */
  async finish(): Promise<void> {
    this.boundary();
    const { now } = this.drafting;
    for (const run of this.#runs.values()) {
      if (run.openWaitGone) {
        const [wait] = await this.store.read(firstOpenWait, [run.id]);
        run.openWait = wait && openWaitOf(wait.id, wait.kind, wait.name);
      }
      if (run.closedAt === undefined) this.write(updateRun, [run.status, run.lastStepSequence, now, now, run.id]);
      else this.#writeEnd(run, run.closedAt);
      this.write(updateSummary, summaryValues(run, now));
    }
  }

  #writeEnd(run: RunState, closedAt: Instant): void {
    const { now } = this.drafting;
    const codec = run.output && (run.output.codec ?? run.payloadCodec);
    const end = [run.status, run.closedReason, run.output?.blob ?? null, codec ?? null, closedAt];
    this.write(endRunRow, [...end, run.lastStepSequence, now, now, run.id]);
  }

  get stats(): Pick<ApplyStats, 'flushes' | 'rows' | 'bytes'> {
    return { flushes: this.#flushes, rows: this.#budget.rows, bytes: this.#budget.bytes };
  }
}
