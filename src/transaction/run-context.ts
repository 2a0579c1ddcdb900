import type {
  ApplyContext,
  Closing,
  EventDraft,
  EventHead,
  NewWait,
  ReceivedSignal,
  RowDraft,
} from '../commands/command.ts';
import type { Payload } from '../commands/fields.ts';
import { members, objectOf } from '../commands/json-members.ts';
import type { NewRunDraft } from '../commands/new-run.ts';
import type { Columns, Query, Row, Value, Write } from '../store/statement.ts';
import type { NewRow, Table } from '../store/table.ts';
import {
  workflowChildCalls,
  workflowFailures,
  type workflowInstances,
  workflowRunWaits,
  type workflowTasks,
} from '../store/tables.ts';
import { closeRun } from './close-run.ts';
import { readDocument } from './documents.ts';
import type { Family } from './family.ts';
import { ReceivedSignals } from './load-state.ts';
import { openWaitOf, waitRow } from './projections/waits.ts';
import type { RunState } from './run-state.ts';
import type { OpenTransaction } from './transaction.ts';
import { wakeRun } from './wake-run.ts';

/** What a context knows beside its run. */
export interface RunContextParts {
  /** Given when the run may end in this transaction. */
  readonly family?: Family | undefined;
  readonly signals?: ReceivedSignals;
  /** The workflow task that is being completed, if one is: it does not count as the run's next. */
  readonly completingTaskId?: string;
}

/** One locked run of an open transaction, as commands see it. */
export class RunContext implements ApplyContext {
  readonly run: RunState;
  readonly tx: OpenTransaction;
  readonly family: Family | undefined;
  readonly completingTaskId: string | undefined;
  /** The run has been woken by this transaction. */
  woken = false;
  /** Children were started by this transaction: the family, read when it began, does not know them. */
  startedChildren = false;
  readonly #signals: ReceivedSignals;
  readonly #documents = new Map<string, Map<string, unknown>>();

  constructor(tx: OpenTransaction, run: RunState, parts: RunContextParts = {}) {
    this.tx = tx;
    this.run = run;
    this.family = parts.family;
    this.completingTaskId = parts.completingTaskId;
    this.#signals = parts.signals ?? new ReceivedSignals();
    tx.addRun(run);
  }

  get now() {
    return this.tx.drafting.now;
  }

  get taskId() {
    return this.tx.drafting.taskId;
  }

  get leaseOwner() {
    return this.tx.drafting.leaseOwner;
  }

  newId(): string {
    return this.tx.drafting.newId();
  }

  payload(field: string, value: Payload | undefined, codec: string | undefined) {
    return this.tx.drafting.payload(field, value, codec);
  }

  checkSize(field: string, text: string | undefined): void {
    this.tx.drafting.checkSize(field, text);
  }

  event(type: string, payload: object | string, commandId?: string): EventDraft {
    return this.tx.drafting.event(type, payload, commandId);
  }

  row<T extends Table>(table: T, row: NewRow<T>): RowDraft<T> {
    return this.tx.drafting.row(table, row);
  }

  nextStep(): bigint {
    this.run.lastStepSequence += 1n;
    return this.run.lastStepSequence;
  }

  holdRow<T extends Table>(draft: RowDraft<T>, patch?: NewRow<T>): void {
    let { bytes } = draft;
    for (const value of Object.values(patch ?? {})) if (typeof value === 'string') bytes += 3 * value.length;
    const row = { workflow_run_id: this.run.id, ...draft.row, ...patch };
    this.tx.holdRow({ table: draft.table, row: row as NewRow<Table>, bytes });
    if ((draft.table as Table) === workflowFailures) this.run.exceptionCount += 1;
    if ((draft.table as Table) === workflowChildCalls) this.startedChildren = true;
  }

  holdEvent(draft: EventDraft, head: EventHead = {}): void {
    const text = members(head);
    const payload = objectOf(text + draft.members);
    this.tx.holdEvent(this.run, { draft, payload, bytes: draft.bytes + 3 * text.length });
  }

  holdTask(draft: RowDraft<typeof workflowTasks>, patch?: NewRow<typeof workflowTasks>): void {
    const { namespace, queue, connection } = this.run;
    const fixed = { namespace, queue, connection, attempt_count: 0, created_at: this.now, updated_at: this.now };
    this.holdRow(draft, { ...fixed, ...patch });
    if (draft.row.id) this.tx.createdTaskIds.push(draft.row.id);
  }

  holdNewRun(draft: NewRunDraft, instance?: RowDraft<typeof workflowInstances>): void {
    if (instance) this.tx.holdRow(instance);
    for (const row of draft.rows) this.tx.holdRow(row);
    this.tx.createdTaskIds.push(draft.taskId);
  }

  takeSignal(name: string): ReceivedSignal | undefined {
    return this.#signals.take(name);
  }

  openWait(wait: NewWait): void {
    this.holdRow(this.row(workflowRunWaits, waitRow(wait, this.now)));
    if (!wait.resolved) this.run.openWait ??= openWaitOf(wait.id, wait.kind, wait.name ?? null);
  }

  wakeRun(): Promise<void> {
    return wakeRun(this);
  }

  closeRun(closing: Closing): Promise<void> {
    return closeRun(this, closing);
  }

  async document(kind: 'search_attributes' | 'memo'): Promise<Map<string, unknown>> {
    const known = this.#documents.get(kind) ?? (await readDocument(this, kind));
    this.#documents.set(kind, known);
    return known;
  }

  documentLimit(kind: 'search_attributes' | 'memo'): number {
    const { searchAttributeBytes, memoBytes } = this.tx.settings.limits;
    return kind === 'memo' ? memoBytes : searchAttributeBytes;
  }

  write(statement: Write, values: readonly Value[]): void {
    this.tx.write(statement, values);
  }

  read<C extends Columns>(statement: Query<C>, values: readonly Value[]): Promise<readonly Row<C>[]> {
    return this.tx.read(statement, values);
  }
}
