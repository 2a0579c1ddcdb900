/**
 * A plain writer that takes a completion's commands one at a time, as sections 3 and 4 of the contract tell it: no held rows,
 * no ranges of sequences, one row and one event after the other. It shares no code with the product. Times are numbers of
 * milliseconds from the moment of applying; ids are numbered.
 */

type Json = Record<string, unknown>;

/** An update that was accepted before the completion. */
export interface AcceptedUpdate {
  readonly id: string;
  readonly commandId: string;
  readonly name: string;
}

/** What the reference writer knows of the run before the completion. */
export interface ReferenceStart {
  readonly runId: string;
  readonly instanceId: string;
  readonly taskId: string;
  readonly codec: string;
  readonly sequence: number;
  readonly updates: readonly AcceptedUpdate[];
}

const at = (ms: number) => ({ ms });
const without = (payload: Json): Json =>
  Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined && value !== null));

/** A payload given as plain text has the codec that its command names. */
function withCodec(payload: { blob?: string; codec?: string }, named: string | undefined) {
  if (payload.blob === undefined) return { blob: undefined, codec: undefined };
  return { blob: payload.blob, codec: payload.codec ?? named };
}

export class ReferenceWriter {
  readonly events: { sequence: number; type: string; payload: Json }[] = [];
  readonly executions: Json[] = [];
  readonly attempts: Json[] = [];
  readonly failures: Json[] = [];
  readonly waits: Json[] = [];
  status = 'waiting';
  step = 0;
  #ids = 0;
  #sequence: number;
  readonly #start: ReferenceStart;
  readonly #attributes: Json = {};
  readonly #memo: Json = {};

  constructor(start: ReferenceStart) {
    this.#start = start;
    this.#sequence = start.sequence;
  }

  write(commands: readonly Json[]): void {
    const terminal = (command: Json) =>
      ['complete_workflow', 'fail_workflow', 'continue_as_new'].includes(String(command.type));
    for (const command of [...commands.filter(c => !terminal(c)), ...commands.filter(terminal)]) this.#one(command);
  }

  #id(): string {
    this.#ids += 1;
    return String(this.#ids).padStart(26, '0');
  }

  #event(type: string, payload: Json): void {
    this.#sequence += 1;
    this.events.push({ sequence: this.#sequence, type, payload: without(payload) });
  }

  #blob(value: unknown): { blob?: string; codec?: string } {
    if (value === undefined || value === null) return {};
    return typeof value === 'string' ? { blob: value } : (value as { blob: string; codec: string });
  }

  /** A payload in an event without a codec key: bare when its codec is the run's. */
  #bare(value: unknown): unknown {
    const { blob, codec } = this.#blob(value);
    return codec === undefined || codec === this.#start.codec ? blob : { codec, blob };
  }

  #exception(value: unknown): string | undefined {
    if (value === undefined || value === null) return undefined;
    const isPayload = typeof value === 'string' || 'blob' in (value as object);
    return isPayload ? this.#blob(value).blob : JSON.stringify(value);
  }

  #group(command: Json): Json {
    return Object.fromEntries(Object.entries(command).filter(([key]) => key.startsWith('parallel_group')));
  }

  #wait(sequence: number, kind: string, name: unknown, more: Json = {}): void {
    this.waits.push({ sequence, kind, name: name ?? null, status: 'open', ...more });
  }

  #one(command: Json): void {
    const { runId, instanceId } = this.#start;
    const run = { workflow_instance_id: instanceId, workflow_run_id: runId };
    switch (command.type) {
      case 'record_local_activity':
        this.#record(command, ++this.step);
        return;
      case 'record_side_effect':
        this.#event('SideEffectRecorded', { sequence: ++this.step, result: this.#bare(command.result) });
        return;
      case 'record_version_marker': {
        const { type: _, ...payload } = command;
        this.#event('VersionMarkerRecorded', { sequence: ++this.step, ...payload });
        return;
      }
      case 'upsert_search_attributes':
        this.#upsert('SearchAttributesUpserted', 'attributes', this.#attributes, command.attributes as Json);
        return;
      case 'upsert_memo':
        this.#upsert('MemoUpserted', 'entries', this.#memo, command.entries as Json);
        return;
      case 'start_timer':
        this.#timer(++this.step, 'timer', Number(command.delay_seconds), this.#group(command));
        this.#wait(this.step, 'timer', null);
        return;
      case 'open_signal_wait':
      case 'open_condition_wait':
        this.#openWait(command);
        return;
      case 'schedule_activity':
        this.#schedule(command);
        return;
      case 'start_service_operation': {
        const { blob, codec } = this.#blob(command.request_payload);
        const { endpoint_name, service_name, operation_name, mode_override, wait_for } = command;
        this.#event('ServiceCallStarted', {
          sequence: ++this.step,
          service_call_id: this.#id(),
          caller_workflow_instance_id: instanceId,
          caller_workflow_run_id: runId,
          endpoint_name,
          service_name,
          operation_name,
          operation_mode: mode_override,
          wait_for,
          status: 'started',
          request_payload: blob,
          payload_codec: codec ?? this.#start.codec,
        });
        return;
      }
      case 'start_child_workflow':
        this.#child(command);
        return;
      case 'complete_update':
      case 'fail_update':
        this.#update(command, run);
        return;
      case 'complete_workflow': {
        const { blob, codec } = this.#blob(command.result);
        this.#event('WorkflowCompleted', {
          output: blob,
          payload_codec: blob === undefined ? undefined : (codec ?? this.#start.codec),
        });
        this.#close('completed');
        return;
      }
      case 'fail_workflow': {
        const { message, exception_class, exception_type, non_retryable = false } = command;
        const failure_id = this.#failure('workflow_run', runId, 'application', command);
        const failure = {
          failure_id,
          failure_category: 'application',
          non_retryable,
          exception_type,
          exception_class,
          message,
          exception: this.#exception(command.exception),
        };
        this.#event('WorkflowFailed', { source_kind: 'workflow_run', source_id: runId, ...failure });
        this.#close('failed');
        return;
      }
      case 'continue_as_new':
        this.#event('WorkflowContinuedAsNew', {
          continued_to_run_id: this.#id(),
          continued_to_run_number: 2,
          workflow_link_id: this.#id(),
          closed_reason: 'continued',
        });
        this.#close('completed');
        return;
      default:
        throw new Error(`the reference writer knows no ${String(command.type)}`);
    }
  }

  #close(status: string): void {
    this.status = status;
    for (const wait of this.waits) if (wait.status === 'open') wait.status = 'cancelled';
    for (const execution of this.executions) if (execution.status === 'pending') execution.status = 'cancelled';
    const answered = new Set(
      this.events.filter(({ type }) => type === 'UpdateCompleted').map(({ payload }) => payload.update_id),
    );
    const reason = this.events.at(-1)?.type === 'WorkflowContinuedAsNew' ? 'continued' : status;
    for (const { id, commandId, name } of this.#start.updates)
      if (!answered.has(id))
        this.#event('UpdateCompleted', {
          workflow_command_id: commandId,
          update_id: id,
          workflow_instance_id: this.#start.instanceId,
          workflow_run_id: this.#start.runId,
          update_name: name,
          terminal_reason: `run_${reason}`,
        });
  }

  #upsert(type: string, key: string, document: Json, entries: Json): void {
    for (const [name, value] of Object.entries(entries)) {
      if (value === null) delete document[name];
      else document[name] = value;
    }
    this.#event(type, { sequence: ++this.step, [key]: entries, merged: { ...document } });
  }

  #timer(sequence: number, kind: string, seconds: number, more: Json): string {
    const timer_id = this.#id();
    this.#event('TimerScheduled', {
      timer_id,
      sequence,
      delay_seconds: seconds,
      fire_at: at(seconds * 1_000),
      timer_kind: kind,
      ...more,
    });
    return timer_id;
  }

  #openWait(command: Json): void {
    const sequence = ++this.step;
    const id = this.#id();
    const seconds = command.timeout_seconds as number | undefined;
    const isSignal = command.type === 'open_signal_wait';
    const keys: Json = isSignal
      ? { signal_name: command.signal_name, signal_wait_id: id }
      : {
          condition_wait_id: id,
          condition_key: command.condition_key,
          condition_definition_fingerprint: command.condition_definition_fingerprint,
        };
    this.#event(isSignal ? 'SignalWaitOpened' : 'ConditionWaitOpened', { ...keys, sequence, timeout_seconds: seconds });
    if (seconds) this.#timer(sequence, isSignal ? 'signal_timeout' : 'condition_timeout', seconds, keys);
    this.#wait(sequence, isSignal ? 'signal' : 'condition', isSignal ? command.signal_name : command.condition_key);
  }

  #schedule(command: Json): void {
    const sequence = ++this.step;
    const id = this.#id();
    const { blob, codec } = this.#blob(command.arguments);
    const { activity_type, retry_policy } = command;
    const timeouts = Object.fromEntries(Object.entries(command).filter(([key]) => key.endsWith('_timeout')));
    this.#event('ActivityScheduled', {
      sequence,
      activity_execution_id: id,
      activity_type,
      workflow_task_id: this.#start.taskId,
      activity: without({
        id,
        activity_type,
        status: 'pending',
        attempt_count: 0,
        ...timeouts,
        retry_policy,
        payload_codec: codec,
        arguments: blob,
      }),
      ...this.#group(command),
    });
    this.executions.push({
      sequence,
      activity_type,
      status: 'pending',
      attempt_count: 0,
      arguments: blob ?? null,
      result: null,
      exception: null,
    });
    this.#wait(sequence, 'activity', activity_type);
  }

  #child(command: Json): void {
    const sequence = ++this.step;
    const { workflow_type, parent_close_policy = 'abandon', retry_policy } = command;
    const keys = {
      sequence,
      workflow_link_id: this.#id(),
      child_call_id: this.#id(),
      child_workflow_instance_id: command.workflow_id ?? this.#id(),
      child_workflow_run_id: this.#id(),
      child_workflow_type: workflow_type,
      child_run_number: 1,
      parent_close_policy,
      retry_policy,
      ...this.#group(command),
    };
    this.#event('ChildWorkflowScheduled', keys);
    this.#event('ChildRunStarted', {
      ...keys,
      child_status: 'pending',
      execution_timeout_seconds: command.execution_timeout_seconds,
      run_timeout_seconds: command.run_timeout_seconds,
    });
    this.#wait(sequence, 'child', workflow_type);
  }

  #update(command: Json, run: Json): void {
    const update = this.#start.updates.find(({ id }) => id === command.update_id);
    const sequence = ++this.step;
    const keys = {
      ...run,
      workflow_command_id: update?.commandId,
      update_id: update?.id,
      update_name: update?.name,
      sequence,
    };
    if (command.type === 'complete_update') {
      this.#event('UpdateApplied', keys);
      this.#event('UpdateCompleted', { ...keys, result: this.#bare(command.result) });
      return;
    }
    const failure_id = this.#failure('workflow_update', String(update?.id), 'application', command);
    const { message, exception_class, exception_type, non_retryable = false } = command;
    const failure = {
      failure_id,
      failure_category: 'application',
      non_retryable,
      exception_type,
      exception_class,
      message,
    };
    this.#event('UpdateCompleted', { ...keys, ...failure });
  }

  #failure(kind: string, sourceId: string, category: string, evidence: Json): string {
    const { message, exception_class, exception_type, non_retryable = false } = evidence;
    this.failures.push({
      source_kind: kind,
      source_id: sourceId,
      failure_category: category,
      non_retryable,
      exception_class: exception_class ?? exception_type ?? null,
      message,
    });
    return this.#id();
  }

  #record(command: Json, sequence: number): void {
    const attempts = command.attempts as Json[];
    const id = this.#id();
    const named = command.payload_codec as string | undefined;
    const args = withCodec(this.#blob(command.arguments), named);
    const result = withCodec(this.#blob(command.result), named);
    const exception = this.#exception(command.exception);
    const { activity_type, retry_policy, outcome } = command;
    const times: { start: number; end: number }[] = [];
    for (let index = attempts.length - 1, end = 0; index >= 0; index -= 1) {
      const attempt = attempts[index] as Json;
      if (index < attempts.length - 1) end = (times[0]?.start ?? 0) - 1_000 * Number(attempt.backoff_seconds ?? 0);
      times.unshift({ start: end - Number(attempt.duration_ms ?? 0), end });
    }
    const common = {
      sequence,
      activity_execution_id: id,
      activity_type,
      execution_mode: 'local',
      local_activity: true,
      workflow_task_id: this.#start.taskId,
    };
    const started_at = at(times[0]?.start ?? 0);
    const timeouts = Object.fromEntries(Object.entries(command).filter(([key]) => key.endsWith('_timeout')));
    const pending = { id, activity_type, status: 'pending', attempt_count: 0, execution_mode: 'local', ...timeouts };
    const scheduled = { ...pending, retry_policy, payload_codec: args.codec, arguments: args.blob };
    this.#event('ActivityScheduled', { ...common, activity: without(scheduled) });
    let attemptId = '';
    for (const [index, attempt] of attempts.entries()) {
      attemptId = this.#id();
      const { start = 0, end = 0 } = times[index] ?? {};
      const number = index + 1;
      const snapshot = {
        id: attemptId,
        worker_attempt_id: attempt.attempt_id,
        attempt_number: number,
        started_at: at(start),
      };
      const activity = { id, activity_type, attempt_count: number, current_attempt_id: attemptId, started_at };
      const keys = {
        ...common,
        activity_attempt_id: attemptId,
        worker_attempt_id: attempt.attempt_id,
        attempt_number: number,
      };
      this.#event('ActivityStarted', {
        ...keys,
        activity: { ...activity, status: 'running' },
        activity_attempt: without({ ...snapshot, status: 'running' }),
      });
      let last_heartbeat_at: object | null = null;
      for (const { elapsed_ms, details } of (attempt.heartbeats ?? []) as Json[]) {
        last_heartbeat_at = at(start + Number(elapsed_ms));
        this.#event('ActivityHeartbeatRecorded', {
          ...keys,
          heartbeat_at: last_heartbeat_at,
          progress: details,
          activity: { ...activity, status: 'running', last_heartbeat_at },
          activity_attempt: without({ ...snapshot, status: 'running', last_heartbeat_at }),
        });
      }
      this.attempts.push({
        worker_attempt_id: attempt.attempt_id ?? null,
        attempt_number: number,
        status: attempt.outcome,
        started_at: at(start),
        closed_at: at(end),
        last_heartbeat_at,
      });
      if (number < attempts.length) {
        const { attempt_number: _, ...retryKeys } = keys;
        this.#event('ActivityRetryScheduled', {
          ...retryKeys,
          retry_available_at: at(times[number]?.start ?? 0),
          retry_backoff_seconds: attempt.backoff_seconds ?? 0,
          retry_after_attempt_id: attemptId,
          retry_after_attempt: number,
          retry_reason: attempt.retry_reason ?? (attempt.outcome === 'timed_out' ? 'timeout' : 'failure'),
          max_attempts: (retry_policy as Json | undefined)?.max_attempts,
          retry_policy,
          timeout_kind: attempt.timeout_kind,
          exception_type: attempt.exception_type,
          exception_class: attempt.exception_class,
          message: attempt.message,
          exception: this.#exception(attempt.exception),
          activity: { ...activity, status: 'pending' },
        });
        continue;
      }
      const closed = {
        ...keys,
        activity: { ...activity, status: outcome, closed_at: at(end) } as Json,
        activity_attempt: without({ ...snapshot, status: outcome, closed_at: at(end) }),
      };
      const { message, exception_class, exception_type, timeout_kind, non_retryable = false } = command;
      if (outcome === 'completed')
        this.#event('ActivityCompleted', {
          ...closed,
          result: result.blob,
          payload_codec: result.blob === undefined ? undefined : (result.codec ?? this.#start.codec),
        });
      else if (outcome === 'cancelled')
        this.#event('ActivityCancelled', {
          ...closed,
          activity: { ...closed.activity, message },
          cancelled_at: at(end),
        });
      else {
        const category = outcome === 'failed' ? 'activity' : 'timeout';
        const failure_id = this.#failure('activity_execution', id, category, command);
        const failure = { failure_id, failure_category: category, message, exception_class };
        if (outcome === 'failed')
          this.#event('ActivityFailed', { ...closed, ...failure, non_retryable, exception_type, exception });
        else this.#event('ActivityTimedOut', { ...closed, ...failure, timeout_kind });
      }
    }
    this.executions.push({
      sequence,
      activity_type,
      status: outcome,
      attempt_count: attempts.length,
      arguments: args.blob ?? null,
      result: result.blob ?? null,
      exception: exception ?? null,
    });
  }
}
