import type { Instant } from '../store/instant.ts';
import { workflowHistoryEvents, workflowRunSummaries, workflowRuns, workflowTasks } from '../store/tables.ts';
import type { EventDraft, EventHead, PrepareContext, RowDraft } from './command.ts';
import { members, objectOf } from './json-members.ts';

/** What a run is started with. */
export interface NewRun {
  readonly runId: string;
  readonly instanceId: string;
  readonly runNumber: number;
  readonly workflowType: string;
  readonly workflowClass?: string | undefined;
  readonly namespace: string;
  readonly payloadCodec: string;
  readonly arguments?: string | undefined;
  readonly connection: string | null;
  readonly queue: string | null;
  readonly businessKey?: string | undefined;
  readonly executionTimeoutSeconds?: number | undefined;
  /** The deadline of an instance that goes on, instead of a time-out that starts now. */
  readonly executionDeadline?: Instant | undefined;
  readonly runTimeoutSeconds?: number | undefined;
  /** When the first task can be claimed; now unless said. */
  readonly availableAt?: Instant | undefined;
  /** Of the start, when one was written. */
  readonly commandId?: string | undefined;
}

/** The rows of a new run, and the id of its first workflow task. */
export interface NewRunDraft {
  readonly taskId: string;
  readonly rows: readonly RowDraft[];
}

/** Payload of the `WorkflowStarted` of a run; `keys` and `head` are what its origin adds. */
export function workflowStarted(context: PrepareContext, run: NewRun, keys: object, head: EventHead = {}): EventDraft {
  const { executionTimeoutSeconds, runTimeoutSeconds } = run;
  const payload = {
    workflow_class: run.workflowClass,
    workflow_type: run.workflowType,
    workflow_instance_id: run.instanceId,
    workflow_run_id: run.runId,
    workflow_command_id: run.commandId,
    business_key: run.businessKey,
    execution_timeout_seconds: executionTimeoutSeconds,
    run_timeout_seconds: runTimeoutSeconds,
    execution_deadline_at: run.executionDeadline ?? deadline(context, executionTimeoutSeconds),
    run_deadline_at: deadline(context, runTimeoutSeconds),
    ...keys,
  };
  const event = context.event('WorkflowStarted', payload, run.commandId);
  return { ...event, members: members(head) + event.members };
}

function deadline(context: PrepareContext, seconds: number | undefined) {
  return seconds === undefined ? undefined : context.now.plusSeconds(seconds);
}

/**
 * The rows of a run that starts now: the run at the sequence of its last first event, its summary, those events, and its
 * first workflow task. Nobody else can know the run yet, so its sequences need no allocation.
 */
export function draftNewRun(context: PrepareContext, run: NewRun, events: readonly EventDraft[]): NewRunDraft {
  const { now } = context;
  const taskId = context.newId();
  const times = { created_at: now, updated_at: now };
  const executionDeadline = run.executionDeadline ?? deadline(context, run.executionTimeoutSeconds);
  const runDeadline = deadline(context, run.runTimeoutSeconds);
  const runRow = context.row(workflowRuns, {
    id: run.runId,
    workflow_instance_id: run.instanceId,
    run_number: run.runNumber,
    workflow_type: run.workflowType,
    workflow_class: run.workflowClass ?? null,
    namespace: run.namespace,
    status: 'pending',
    payload_codec: run.payloadCodec,
    arguments: run.arguments ?? null,
    connection: run.connection,
    queue: run.queue,
    last_history_sequence: BigInt(events.length),
    last_step_sequence: 0n,
    run_timeout_seconds: run.runTimeoutSeconds ?? null,
    execution_deadline_at: executionDeadline ?? null,
    run_deadline_at: runDeadline ?? null,
    started_at: now,
    last_progress_at: now,
    ...times,
  });
  const summary = context.row(workflowRunSummaries, {
    workflow_run_id: run.runId,
    status: 'pending',
    status_bucket: 'running',
    next_task_id: taskId,
    history_event_count: BigInt(events.length),
    history_size_bytes: BigInt(events.reduce((sum, event) => sum + Buffer.byteLength(objectOf(event.members)), 0)),
    exception_count: 0,
    continue_as_new_recommended: false,
    history_budget_pressure: 'none',
    ...times,
  });
  const taskColumns = {
    workflow_run_id: run.runId,
    namespace: run.namespace,
    status: 'ready',
    connection: run.connection,
    queue: run.queue,
    attempt_count: 0,
    ...times,
  };
  const task = context.row(workflowTasks, {
    id: taskId,
    task_type: 'workflow',
    available_at: run.availableAt ?? now,
    ...taskColumns,
  });
  const deadlineTasks = [executionDeadline, runDeadline].flatMap(at =>
    at === undefined
      ? []
      : [
          context.row(workflowTasks, {
            id: context.newId(),
            task_type: 'timer',
            payload: JSON.stringify({ run_deadline: true }),
            available_at: at,
            ...taskColumns,
          }),
        ],
  );
  const history = events.map((event, index) =>
    context.row(workflowHistoryEvents, {
      id: event.id,
      workflow_run_id: run.runId,
      sequence: BigInt(index + 1),
      event_type: event.type,
      payload: objectOf(event.members),
      workflow_command_id: event.commandId ?? null,
      recorded_at: now,
    }),
  );
  return { taskId, rows: [runRow, summary, task, ...deadlineTasks, ...history] };
}
