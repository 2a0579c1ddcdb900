import { Refusal } from '../completion/refusal.ts';
import type { Row } from '../store/statement.ts';
import { updateOfRun } from '../store/statements/updates.ts';
import type { ApplyContext, EventDraft } from './command.ts';
import { payloadJson } from './payload-json.ts';

type Update = Row<typeof updateOfRun.columns>;

/** The update that a command answers. @throws Refusal `update_not_found` or `update_task_mismatch`. */
export async function readUpdate(tx: ApplyContext, updateId: string): Promise<Update> {
  const [update] = await tx.read(updateOfRun, [updateId, tx.run.id]);
  if (update === undefined) throw new Refusal('update_not_found', `run ${tx.run.id} has no update ${updateId}`);
  if (update.status !== 'accepted')
    throw new Refusal('update_task_mismatch', `update ${updateId} is ${update.status}, not accepted`);
  return update;
}

export async function checkUpdateOpen(tx: ApplyContext, updateId: string): Promise<void> {
  await readUpdate(tx, updateId);
}

/** The event of an update that the workflow took up. */
export function updateApplied(tx: ApplyContext, update: Update): EventDraft {
  const args =
    update.arguments === null ? undefined : { codec: update.payload_codec ?? undefined, blob: update.arguments };
  const payload = {
    workflow_command_id: update.workflow_command_id ?? undefined,
    update_id: update.id,
    workflow_instance_id: tx.run.instanceId,
    workflow_run_id: tx.run.id,
    update_name: update.update_name,
    arguments: args && (JSON.parse(payloadJson(args, tx.run.payloadCodec)) as unknown),
  };
  return tx.event('UpdateApplied', payload, update.workflow_command_id ?? undefined);
}
