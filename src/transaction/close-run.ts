import type { Closing } from '../commands/command.ts';
import {
  cancelOpenActivities,
  cancelOpenTasks,
  cancelOpenTimers,
  cancelOpenWaits,
  openPartsOfRun,
  rejectOpenSignals,
} from '../store/statements/closing.ts';
import { endUpdate, openUpdates } from '../store/statements/updates.ts';
import { applyClosePolicy } from './close-children.ts';
import { notifyParent } from './notify-parent.ts';
import type { RunContext } from './run-context.ts';

/**
 * Ends a run whose terminal event is held: what is still open of it is closed, its parent is told, and its children follow
 * by their policies. Waits, timers, activities and tasks end by one statement a kind, so that a run is never too large to end.
 */
export async function closeRun(context: RunContext, closing: Closing): Promise<void> {
  const { run, now } = context;
  run.status = closing.status;
  run.closedReason = closing.reason;
  run.output = closing.output;
  run.closedAt = now;
  run.openWait = undefined;
  run.openWaitGone = false;
  run.nextTaskId = null;
  await closeOpenParts(context, closing.reason);
  if (closing.continuedTo !== undefined) return;
  await notifyParent(context, closing);
  await applyClosePolicy(context);
}

async function closeOpenParts(context: RunContext, reason: string): Promise<void> {
  const { run, now } = context;
  const [parts] = await context.read(openPartsOfRun, [run.id]);
  const values = [now, now, run.id];
  if (parts?.waits) context.write(cancelOpenWaits, values);
  if (parts?.timers) context.write(cancelOpenTimers, values);
  if (parts?.activities) context.write(cancelOpenActivities, values);
  if (parts?.signals) context.write(rejectOpenSignals, values);
  if (parts?.tasks) context.write(cancelOpenTasks, [now, run.id, context.completingTaskId ?? '']);
  if (parts?.updates) await rejectOpenUpdates(context, reason);
}

async function rejectOpenUpdates(context: RunContext, reason: string): Promise<void> {
  const { run, now } = context;
  for (const update of await context.read(openUpdates, [run.id])) {
    const commandId = update.workflow_command_id ?? undefined;
    const payload = {
      workflow_command_id: commandId,
      update_id: update.id,
      workflow_instance_id: run.instanceId,
      workflow_run_id: run.id,
      update_name: update.update_name,
      terminal_reason: `run_${reason}`,
    };
    context.holdEvent(context.event('UpdateCompleted', payload, commandId));
    context.write(endUpdate, [
      'rejected',
      update.payload_codec,
      null,
      null,
      `run_${reason}`,
      null,
      now,
      now,
      update.id,
    ]);
  }
}
