import type { z } from 'zod';
import type { RunStatus } from '../completion/outcome.ts';
import type { Instant } from '../store/instant.ts';
import type { Columns, Query, Row, Value, Write } from '../store/statement.ts';
import type { NewRow, Table } from '../store/table.ts';
import type { workflowInstances, workflowTasks } from '../store/tables.ts';
import type { Payload } from './fields.ts';
import type { NewRunDraft } from './new-run.ts';

/** A payload as it is stored: its text, and its codec when the command named one (else the run's counts). */
export interface EncodedPayload {
  readonly codec: string | undefined;
  readonly blob: string;
}

/** An event made before the transaction; what the database decides is put in front of `body` when it is held. */
export interface EventDraft {
  readonly id: string;
  readonly type: string;
  /** The payload's members as JSON text, without those of the head. */
  readonly members: string;
  /** Conservative estimate of the encoded row, head included. */
  readonly bytes: number;
  readonly commandId: string | undefined;
}

/** Keys of an event's payload that only the locked run can tell. */
export type EventHead = Readonly<Record<string, string | number | bigint | undefined>>;

/** A row with its conservative size estimate; `sequence` and the like are filled in when it is held. */
export interface RowDraft<T extends Table = Table> {
  readonly table: T;
  readonly row: NewRow<T>;
  readonly bytes: number;
}

/** What a command can use before the transaction: no database, no lock. */
export interface PrepareContext {
  /** The moment of applying; all times are rebuilt from it. */
  readonly now: Instant;
  readonly taskId: string;
  readonly leaseOwner: string;
  newId(): string;
  /** Checks the size and notes a payload that is too large under the command's field. */
  payload(field: string, value: Payload | undefined, codec: string | undefined): EncodedPayload | undefined;
  /** The same for any other text that is stored as it is. */
  checkSize(field: string, text: string | undefined): void;
  /** @param payload its keys, or their members as text. */
  event(type: string, payload: object | string, commandId?: string): EventDraft;
  row<T extends Table>(table: T, row: NewRow<T>): RowDraft<T>;
}

/** The locked run a completion belongs to. */
export interface LockedRun {
  readonly id: string;
  readonly instanceId: string;
  readonly namespace: string;
  readonly workflowType: string;
  readonly payloadCodec: string;
  readonly connection: string | null;
  readonly queue: string | null;
  readonly status: RunStatus;
}

/** A wait that a command opens. */
export interface NewWait {
  readonly id: string;
  readonly kind: 'signal' | 'condition' | 'timer' | 'activity' | 'child';
  readonly sequence: bigint;
  readonly name?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly sourceId?: string | undefined;
  readonly timerId?: string | undefined;
  readonly parallelGroupId?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly deadline?: Instant | undefined;
  /** Opened and resolved by the same command. */
  readonly resolved?: boolean;
}

/** How a run ends. */
export interface Closing {
  readonly status: 'completed' | 'failed' | 'cancelled' | 'terminated';
  readonly reason: string;
  readonly output?: EncodedPayload | undefined;
  /** What a parent is told of a child that did not complete. */
  readonly failure?: ClosingFailure | undefined;
  /** The run that carries this one on: its parent goes on waiting, for that one. */
  readonly continuedTo?: string;
}

/** Evidence of a run's bad end. */
export interface ClosingFailure {
  readonly id: string;
  readonly category: string;
  readonly message: string;
  readonly nonRetryable: boolean;
  readonly exceptionClass?: string | undefined;
  readonly exceptionType?: string | undefined;
  readonly exception?: string | undefined;
}

/** A signal that came before its wait. */
export interface ReceivedSignal {
  readonly id: string;
  readonly commandId: string | null;
  readonly waitId: string;
  readonly codec: string | null;
  readonly arguments: string | null;
}

/** The open transaction as a command sees it. Everything held is written at the next boundary. */
export interface ApplyContext extends PrepareContext {
  readonly run: LockedRun;
  /** The next step sequence of the run. */
  nextStep(): bigint;
  /** Holds a row of the run, with what the lock revealed filled in. */
  holdRow<T extends Table>(draft: RowDraft<T>, patch?: NewRow<T>): void;
  holdEvent(draft: EventDraft, head?: EventHead): void;
  /** Holds a task of the run; `queue` and `connection` are the run's unless the patch says otherwise. */
  holdTask(draft: RowDraft<typeof workflowTasks>, patch?: NewRow<typeof workflowTasks>): void;
  /** Holds the rows of another run that starts now, with its instance when that is new too. */
  holdNewRun(draft: NewRunDraft, instance?: RowDraft<typeof workflowInstances>): void;
  /** Takes the oldest received, unapplied signal of this name, if there is one. */
  takeSignal(name: string): ReceivedSignal | undefined;
  openWait(wait: NewWait): void;
  /** Wakes the run: one ready workflow task, however often it is asked. */
  wakeRun(): Promise<void>;
  closeRun(closing: Closing): Promise<void>;
  /** A document of the run that commands merge into: read once, then kept as it will be stored. */
  document(kind: 'search_attributes' | 'memo'): Promise<Map<string, unknown>>;
  /** Bytes that a document may have: settings `limits.searchAttributeBytes` and `limits.memoBytes`. */
  documentLimit(kind: 'search_attributes' | 'memo'): number;
  write(statement: Write, values: readonly Value[]): void;
  /** Reads after a flush, so that everything held so far is seen. */
  read<C extends Columns>(statement: Query<C>, values: readonly Value[]): Promise<readonly Row<C>[]>;
}

/** What must be read under the lock before the first command applies; read together, in one round trip. */
export type Need = 'signals' | 'closing';

/** Things a run may have only so many of at once: settings `limits.pending*`. */
export type PendingKind = 'activities' | 'children' | 'timers';

/** A command whose ids, rows and events are made; applying it only fills in what the lock reveals. */
export interface PreparedCommand {
  /** All it will hold, as far as the completion alone shows; charged to the budget before the first write. */
  readonly rows: readonly RowDraft[];
  readonly events: readonly EventDraft[];
  readonly needs?: readonly Need[];
  /** It opens a wait: one row more, charged with the others. */
  readonly opensWait?: true;
  /** What it adds to the run's pending things. */
  readonly adds?: readonly PendingKind[];
  /** Refuses by what the database shows; all commands are checked before the first one applies. */
  check?(context: ApplyContext): Promise<void>;
  apply(context: ApplyContext): void | Promise<void>;
}

/** One kind of command: its schema, and how it becomes rows and events. */
export interface CommandDefinition<C extends { type: string } = { type: string }> {
  readonly type: C['type'];
  /** `record`: held with its neighbours. `step`: a boundary on both sides. `terminal`: applied last, wherever it stands. */
  readonly role: 'record' | 'step' | 'terminal';
  readonly schema: z.ZodType<C>;
  prepare(command: C, context: PrepareContext): PreparedCommand;
}

export function defineCommand<S extends z.ZodType<{ type: string }>>(definition: {
  readonly type: z.output<S>['type'];
  readonly role: CommandDefinition['role'];
  readonly schema: S;
  prepare(command: z.output<S>, context: PrepareContext): PreparedCommand;
}): CommandDefinition<z.output<S>> {
  return definition as unknown as CommandDefinition<z.output<S>>;
}
