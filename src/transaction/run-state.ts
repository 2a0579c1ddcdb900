import type { EncodedPayload, LockedRun } from '../commands/command.ts';
import type { RunStatus } from '../completion/outcome.ts';
import type { Instant } from '../store/instant.ts';
import type { Row } from '../store/statement.ts';
import type { lockedRunColumns } from '../store/statements/runs.ts';

/** The first open wait of a run, as its summary shows it. */
export interface OpenWait {
  readonly id: string;
  readonly kind: string;
  readonly reason: string | null;
}

/** A run locked by the open transaction, with everything that changed so far. Written back once, before commit. */
export class RunState implements LockedRun {
  readonly id: string;
  readonly instanceId: string;
  readonly namespace: string;
  readonly workflowType: string;
  readonly payloadCodec: string;
  readonly connection: string | null;
  readonly queue: string | null;
  readonly executionDeadlineAt: Instant | null;
  readonly runDeadlineAt: Instant | null;
  /** The task whose completion writes this run's events; null when another run's does. */
  readonly taskId: string | null;

  status: RunStatus;
  closedReason: string | null;
  output: EncodedPayload | undefined;
  /** Set when this transaction ends the run. */
  closedAt: Instant | undefined;
  lastHistorySequence: bigint;
  lastStepSequence: bigint;
  /** First sequence this transaction gave out, if it gave any. */
  firstSequence: bigint | undefined;
  eventsWritten = 0;
  historyEventCount: bigint;
  historySizeBytes: bigint;
  exceptionCount: number;
  openWait: OpenWait | undefined;
  /** The open wait was resolved: the next one must be looked up before the summary is written. */
  openWaitGone = false;
  nextTaskId: string | null;

  constructor(row: Row<typeof lockedRunColumns>, taskId: string | null) {
    this.taskId = taskId;
    this.id = row.id;
    this.instanceId = row.workflow_instance_id;
    this.namespace = row.namespace;
    this.workflowType = row.workflow_type;
    this.payloadCodec = row.payload_codec;
    this.connection = row.connection;
    this.queue = row.queue;
    this.executionDeadlineAt = row.execution_deadline_at;
    this.runDeadlineAt = row.run_deadline_at;
    this.status = row.status as RunStatus;
    this.closedReason = row.closed_reason;
    this.lastHistorySequence = row.last_history_sequence;
    this.lastStepSequence = row.last_step_sequence;
    this.historyEventCount = row.history_event_count;
    this.historySizeBytes = row.history_size_bytes;
    this.exceptionCount = row.exception_count;
    this.nextTaskId = row.next_task_id;
    if (row.open_wait_id !== null && row.wait_kind !== null)
      this.openWait = { id: row.open_wait_id, kind: row.wait_kind, reason: row.wait_reason };
  }

  get isClosed(): boolean {
    return this.status !== 'pending' && this.status !== 'running' && this.status !== 'waiting';
  }
}
