import { closeChildCall, openPolicyChildren } from '../store/statements/children.ts';
import { workflowFailures, workflowTasks } from '../store/tables.ts';
import { closeRun } from './close-run.ts';
import { type ChildCall, type Family, type LockedRun, lockRuns, maxChildrenClosedAtOnce } from './family.ts';
import { RunContext } from './run-context.ts';
import { RunState } from './run-state.ts';

/** How a closed parent ends a child, by the child's policy. */
const endings = {
  request_cancel: { status: 'cancelled', requested: 'CancelRequested', event: 'WorkflowCancelled' },
  terminate: { status: 'terminated', requested: 'TerminateRequested', event: 'WorkflowTerminated' },
} as const;

/** Ends the locked children of a closed run by their policies; what is too much for one transaction becomes a due task. */
export async function applyClosePolicy(parent: RunContext): Promise<void> {
  if (parent.family === undefined) return;
  const family = parent.startedChildren ? await withStartedChildren(parent, parent.family) : parent.family;
  for (const call of family.childCalls) await closeChild(parent, call, family.runs.get(call.child_workflow_run_id));
  if (family.hasMoreChildren) deferChildren(parent);
}

/** The family with the children that this transaction started. Nobody else sees them yet: their locks wait for nobody. */
async function withStartedChildren(parent: RunContext, family: Family): Promise<Family> {
  const all = await parent.read(openPolicyChildren, [parent.run.id, maxChildrenClosedAtOnce + 1]);
  const childCalls = all.slice(0, maxChildrenClosedAtOnce);
  const started = childCalls.map(call => call.child_workflow_run_id).filter(id => !family.runs.has(id));
  const runs = new Map([...family.runs, ...(await lockRuns(parent.tx.store, started))]);
  return { ...family, runs, childCalls, hasMoreChildren: all.length > maxChildrenClosedAtOnce };
}

/** A task that goes on closing the children of a closed run. */
function deferChildren(context: RunContext): void {
  const payload = JSON.stringify({ close_children_of: context.run.id });
  context.holdTask(
    context.row(workflowTasks, {
      id: context.newId(),
      task_type: 'timer',
      status: 'ready',
      payload,
      available_at: context.now,
    }),
  );
}

async function closeChild(parent: RunContext, call: ChildCall, row: LockedRun | undefined): Promise<void> {
  if (row === undefined) return;
  const policy = call.parent_close_policy as keyof typeof endings;
  const reason = 'parent_closed';
  const state = new RunState(row, null);
  const { status } = endings[policy];
  if (state.isClosed) {
    parent.write(closeChildCall, [state.status, state.closedReason, parent.now, parent.now, call.id]);
    return;
  }
  const child = new RunContext(parent.tx, state);
  await endRun(child, policy === 'terminate' ? 'terminate' : 'cancel', reason, undefined);
  parent.write(closeChildCall, [status, reason, parent.now, parent.now, call.id]);
  const { child_workflow_instance_id: child_instance_id, child_workflow_run_id: child_run_id } = call;
  parent.holdEvent(parent.event('ParentClosePolicyApplied', { child_instance_id, child_run_id, policy, reason }));
  const grandchildren = await child.read(openPolicyChildren, [child.run.id, 1]);
  if (grandchildren.length > 0) deferChildren(child);
}

/** Cancels or terminates a run from outside: its two events, its failure, and everything that closing means. */
export async function endRun(
  context: RunContext,
  kind: 'cancel' | 'terminate',
  reason: string | undefined,
  commandId: string | undefined,
): Promise<void> {
  const { run, now } = context;
  const { status, requested, event } = endings[kind === 'cancel' ? 'request_cancel' : 'terminate'];
  const ids = { workflow_command_id: commandId, workflow_instance_id: run.instanceId, workflow_run_id: run.id };
  context.holdEvent(context.event(requested, { ...ids, command_type: kind, reason }, commandId));
  const failureId = context.newId();
  const message = reason ?? `the run was ${status}`;
  context.holdRow(
    context.row(workflowFailures, {
      id: failureId,
      source_kind: 'workflow_run',
      source_id: run.id,
      propagation_kind: status,
      failure_category: status,
      non_retryable: true,
      handled: false,
      message,
      created_at: now,
    }),
  );
  const payload = { ...ids, failure_id: failureId, failure_category: status, closed_reason: status, message, reason };
  context.holdEvent(context.event(event, payload, commandId));
  const failure = { id: failureId, category: status, message, nonRetryable: true };
  await closeRun(context, { status, reason: status, failure });
}
