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
import type { Columns, Query, Row, Value, Write } from '../store/statement.ts';
import {
  cancelOpenActivities,
  cancelOpenTasks,
  cancelOpenTimers,
  cancelOpenWaits,
  rejectOpenSignals,
} from '../store/statements/closing.ts';
import type { NewRow, Table } from '../store/table.ts';
import { workflowFailures, workflowRunWaits, workflowTasks } from '../store/tables.ts';
import type { LoadedState } from './load-state.ts';
import { openWaitOf, waitRow } from './projections/waits.ts';
import type { RunState } from './run-state.ts';
import type { OpenTransaction } from './transaction.ts';

function headText(head: EventHead): string {
  let text = '';
  for (const [key, value] of Object.entries(head))
    if (value !== undefined) text += `"${key}":${typeof value === 'string' ? JSON.stringify(value) : value},`;
  return text;
}

function withHead(head: string, body: string): string {
  if (head === '') return body;
  return body === '{}' ? `{${head.slice(0, -1)}}` : `{${head}${body.slice(1)}`;
}

/** One run of an open transaction, as commands see it. */
export class RunContext implements ApplyContext {
  readonly run: RunState;
  readonly #tx: OpenTransaction;
  readonly #state: LoadedState;

  constructor(tx: OpenTransaction, run: RunState, state: LoadedState) {
    this.#tx = tx;
    this.run = run;
    this.#state = state;
    tx.addRun(run);
  }

  get now() {
    return this.#tx.drafting.now;
  }

  get taskId() {
    return this.#tx.drafting.taskId;
  }

  get leaseOwner() {
    return this.#tx.drafting.leaseOwner;
  }

  newId(): string {
    return this.#tx.drafting.newId();
  }

  payload(field: string, value: Payload | undefined, codec: string | undefined) {
    return this.#tx.drafting.payload(field, value, codec);
  }

  checkSize(field: string, text: string | undefined): void {
    this.#tx.drafting.checkSize(field, text);
  }

  event(type: string, payload: object, commandId?: string): EventDraft {
    return this.#tx.drafting.event(type, payload, commandId);
  }

  row<T extends Table>(table: T, row: NewRow<T>): RowDraft<T> {
    return this.#tx.drafting.row(table, row);
  }

  nextStep(): bigint {
    this.run.lastStepSequence += 1n;
    return this.run.lastStepSequence;
  }

  holdRow<T extends Table>(draft: RowDraft<T>, patch?: NewRow<T>): void {
    let { bytes } = draft;
    for (const value of Object.values(patch ?? {})) if (typeof value === 'string') bytes += 3 * value.length;
    const row = { workflow_run_id: this.run.id, ...draft.row, ...patch };
    this.#tx.holdRow({ table: draft.table, row: row as NewRow<Table>, bytes });
    if ((draft.table as Table) === workflowFailures) this.run.exceptionCount += 1;
  }

  holdEvent(draft: EventDraft, head: EventHead = {}): void {
    const text = headText(head);
    const payload = withHead(text, draft.body);
    this.#tx.holdEvent(this.run, { draft, payload, bytes: draft.bytes + 3 * text.length });
  }

  holdTask(draft: RowDraft<typeof workflowTasks>, patch?: NewRow<typeof workflowTasks>): void {
    const { namespace, queue, connection } = this.run;
    const fixed = { namespace, queue, connection, attempt_count: 0, created_at: this.now, updated_at: this.now };
    this.holdRow(draft, { ...fixed, ...patch });
    if (draft.row.id) this.#tx.createdTaskIds.push(draft.row.id);
  }

  takeSignal(name: string): ReceivedSignal | undefined {
    return this.#state.takeSignal(name);
  }

  openWait(wait: NewWait): void {
    this.holdRow(this.row(workflowRunWaits, waitRow(wait, this.now)));
    if (!wait.resolved) this.run.openWait ??= openWaitOf(wait.id, wait.kind, wait.name ?? null);
  }

  wakeRun(): void {
    if (this.#state.wakeTaskId !== undefined) return;
    const id = this.newId();
    this.#state.wakeTaskId = id;
    this.holdTask(this.row(workflowTasks, { id, task_type: 'workflow', status: 'ready', available_at: this.now }));
    this.run.nextTaskId = id;
  }

  closeRun(closing: Closing): void {
    this.run.status = closing.status;
    this.run.closedReason = closing.reason;
    this.run.output = closing.output;
    this.run.closedAt = this.now;
    this.run.openWait = undefined;
    this.run.nextTaskId = null;
    const parts = this.#state.openParts;
    const values = [this.now, this.now, this.run.id];
    if (parts?.waits) this.write(cancelOpenWaits, values);
    if (parts?.timers) this.write(cancelOpenTimers, values);
    if (parts?.activities) this.write(cancelOpenActivities, values);
    if (parts?.signals) this.write(rejectOpenSignals, values);
    if (parts?.timers || parts?.activities) this.write(cancelOpenTasks, [this.now, this.run.id, this.taskId]);
  }

  write(statement: Write, values: readonly Value[]): void {
    this.#tx.write(statement, values);
  }

  read<C extends Columns>(statement: Query<C>, values: readonly Value[]): Promise<readonly Row<C>[]> {
    return this.#tx.read(statement, values);
  }
}
