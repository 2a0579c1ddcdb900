import { Refusal } from '../completion/refusal.ts';
import type { FlushCost } from '../pool/protocol.ts';
import type { Instant } from '../store/instant.ts';
import type { StoreTransaction } from '../store/store.ts';
import type { Table } from '../store/table.ts';
import { workflowHistoryEvents } from '../store/tables.ts';
import type { HeldEvent, HeldRows } from './held-rows.ts';
import type { RunState } from './run-state.ts';

/** Largest history sequence: a signed 64-bit column. */
export const maxHistorySequence = 2n ** 63n - 1n;

/** Bounds of one INSERT: settings `flush.*`, and what the driver binds at most. */
export interface FlushBounds {
  readonly rows: number;
  readonly bytes: number;
  readonly maxParameters: number;
}

interface Sized {
  readonly row: Readonly<Record<string, unknown>>;
  readonly bytes: number;
}

/** Splits rows, in order, into runs of at most `bounds`; a single row over the byte bound stands alone. */
export function* split(table: Table, rows: Iterable<Sized>, bounds: FlushBounds): Generator<Sized['row'][]> {
  const maxRows = Math.min(bounds.rows, Math.floor(bounds.maxParameters / table.columnNames.length));
  let chunk: Sized['row'][] = [];
  let bytes = 0;
  for (const sized of rows) {
    if (chunk.length === maxRows || (chunk.length > 0 && bytes + sized.bytes > bounds.bytes)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(sized.row);
    bytes += sized.bytes;
  }
  if (chunk.length > 0) yield chunk;
}

function insertAll(tx: StoreTransaction, table: Table, rows: Iterable<Sized>, bounds: FlushBounds): void {
  for (const chunk of split(table, rows, bounds)) tx.insert(table, chunk);
}

/** Allocates `count` sequences of the run in one statement; the first of them is returned. */
function allocate(tx: StoreTransaction, run: RunState, count: number): bigint {
  if (run.lastHistorySequence + BigInt(count) > maxHistorySequence)
    throw new Refusal('history_sequence_exhausted', `run ${run.id} has no history sequence left for another event`);
  tx.allocateSequences(run.id, run.lastHistorySequence, count);
  const first = run.lastHistorySequence + 1n;
  run.lastHistorySequence += BigInt(count);
  run.firstSequence ??= first;
  return first;
}

function* sequenced(run: RunState, events: readonly HeldEvent[], first: bigint, now: Instant): Generator<Sized> {
  let sequence = first;
  for (const { draft, payload, bytes } of events) {
    const row = {
      id: draft.id,
      workflow_run_id: run.id,
      sequence,
      event_type: draft.type,
      payload,
      workflow_task_id: run.taskId,
      workflow_command_id: draft.commandId ?? null,
      recorded_at: now,
    };
    yield { row, bytes };
    sequence += 1n;
  }
}

/**
 * Writes everything held: one multi-row INSERT per table within the bounds and one allocation of history sequences per run.
 * A run whose sequence cannot take all its events goes one at a time, and so refuses exactly where a one-at-a-time writer would.
 * An empty flush writes nothing. @returns what it cost; undefined when there was nothing to write.
 */
export function flush(tx: StoreTransaction, held: HeldRows, bounds: FlushBounds, now: Instant): FlushCost | undefined {
  if (held.isEmpty) return undefined;
  const { rows, events, count, bytes } = held.take();
  const statementsBefore = tx.statements;
  for (const [table, drafts] of rows) insertAll(tx, table, drafts, bounds);
  for (const [run, list] of events) {
    const fits = run.lastHistorySequence + BigInt(list.length) <= maxHistorySequence;
    for (const batch of fits ? [list] : list.map(event => [event])) {
      const first = allocate(tx, run, batch.length);
      insertAll(tx, workflowHistoryEvents, sequenced(run, batch, first, now), bounds);
    }
    run.eventsWritten += list.length;
  }
  return { rows: count, bytes, statements: tx.statements - statementsBefore };
}
