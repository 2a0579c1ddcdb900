import type { Closing } from '../commands/command.ts';
import type { RetryPolicy } from '../commands/fields.ts';
import { draftNewRun, workflowStarted } from '../commands/new-run.ts';
import { advanceInstance, closeChildCall, repeatChildCall, runToRepeat } from '../store/statements/children.ts';
import { endWait, openWaitBySource } from '../store/statements/waits.ts';
import type { ParentCall } from './family.ts';
import { RunContext } from './run-context.ts';
import { RunState } from './run-state.ts';
import { wakeAfterWait } from './wake-run.ts';

const eventTypes = {
  completed: 'ChildRunCompleted',
  failed: 'ChildRunFailed',
  cancelled: 'ChildRunCancelled',
  terminated: 'ChildRunTerminated',
} as const;

/** Tells the parent of a closed run: its event, its wait, and one workflow task; or starts the child's next attempt. */
export async function notifyParent(child: RunContext, closing: Closing): Promise<void> {
  const call = child.family?.parentCall;
  const row = call && child.family?.runs.get(call.workflow_run_id);
  if (call === undefined || row === undefined) return;
  const state = new RunState(row, null);
  if (state.isClosed) {
    child.write(closeChildCall, [closing.status, closing.reason, child.now, child.now, call.id]);
    return;
  }
  const parent = new RunContext(child.tx, state);
  if (closing.status === 'failed' && (await repeatChild(child, parent, call, closing))) return;
  holdChildEvent(child, parent, call, closing);
  parent.write(closeChildCall, [closing.status, closing.reason, child.now, child.now, call.id]);
  const [wait] = await parent.read(openWaitBySource, [parent.run.id, call.id]);
  if (wait) parent.write(endWait, ['resolved', child.now, child.now, wait.id]);
  if (wait?.id === parent.run.openWait?.id) parent.run.openWaitGone = true;
  await wakeAfterWait(parent, wait?.parallel_group_id ?? null, closing.status !== 'completed');
}

function callKeys(call: ParentCall): object {
  return {
    workflow_link_id: call.workflow_link_id,
    child_call_id: call.id,
    child_workflow_instance_id: call.child_workflow_instance_id,
    child_workflow_type: call.child_workflow_type,
    ...((call.parallel_group ? JSON.parse(call.parallel_group) : {}) as object),
  };
}

function holdChildEvent(child: RunContext, parent: RunContext, call: ParentCall, closing: Closing): void {
  const { failure, output } = closing;
  const end =
    closing.status === 'completed'
      ? { output: output?.blob, payload_codec: output && (output.codec ?? child.run.payloadCodec) }
      : {
          failure_id: failure?.id,
          failure_category: failure?.category,
          exception_class: failure?.exceptionClass,
          message: failure?.message,
          ...(closing.status === 'failed' && { exception_type: failure?.exceptionType, exception: failure?.exception }),
        };
  const event = parent.event(eventTypes[closing.status], {
    ...callKeys(call),
    child_workflow_run_id: child.run.id,
    child_run_number: call.child_run_number,
    child_status: closing.status,
    closed_reason: closing.reason,
    closed_at: child.now,
    ...end,
  });
  parent.holdEvent(event, { sequence: call.sequence });
}

/** Starts the next attempt of a failed child, as far as its retry policy allows one. @returns whether it did. */
async function repeatChild(
  child: RunContext,
  parent: RunContext,
  call: ParentCall,
  closing: Closing,
): Promise<boolean> {
  const policy = (call.retry_policy ? JSON.parse(call.retry_policy) : {}) as RetryPolicy;
  const { failure } = closing;
  const types = policy.non_retryable_error_types ?? [];
  const named = [failure?.exceptionType, failure?.exceptionClass].some(
    type => type !== undefined && types.includes(type),
  );
  if (failure?.nonRetryable || named || call.attempt_count >= (policy.max_attempts ?? 1)) return false;
  const [last] = await child.read(runToRepeat, [child.run.id]);
  if (last === undefined) return false;
  const backoffs = policy.backoff_seconds ?? [];
  const backoffSeconds = backoffs[Math.min(call.attempt_count, backoffs.length) - 1] ?? 0;
  const run = {
    runId: child.newId(),
    instanceId: child.run.instanceId,
    runNumber: last.run_count + 1,
    workflowType: child.run.workflowType,
    workflowClass: last.workflow_class ?? undefined,
    namespace: child.run.namespace,
    payloadCodec: last.payload_codec,
    arguments: last.arguments ?? undefined,
    connection: child.run.connection,
    queue: child.run.queue,
    executionDeadline: last.execution_deadline_at ?? undefined,
    runTimeoutSeconds: last.run_timeout_seconds ?? undefined,
    availableAt: child.now.plusSeconds(backoffSeconds),
  };
  const attempt = { retry_attempt: call.attempt_count + 1, retry_of_child_workflow_run_id: child.run.id };
  const origin = {
    parent_workflow_instance_id: parent.run.instanceId,
    parent_workflow_run_id: parent.run.id,
    workflow_link_id: call.workflow_link_id,
    child_call_id: call.id,
    retry_policy: policy,
    ...attempt,
  };
  parent.holdNewRun(
    draftNewRun(parent, run, [workflowStarted(parent, run, origin, { parent_sequence: call.sequence })]),
  );
  const event = parent.event('ChildRunStarted', {
    ...callKeys(call),
    child_workflow_run_id: run.runId,
    child_run_number: run.runNumber,
    child_status: 'pending',
    parent_close_policy: call.parent_close_policy,
    retry_policy: policy,
    retry_backoff_seconds: backoffSeconds,
    ...attempt,
  });
  parent.holdEvent(event, { sequence: call.sequence });
  parent.write(repeatChildCall, [call.attempt_count + 1, run.runId, child.now, call.id]);
  parent.write(advanceInstance, [run.runId, run.runNumber, child.now, run.instanceId]);
  return true;
}
