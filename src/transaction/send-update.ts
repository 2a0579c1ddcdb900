import { payloadJson } from '../commands/payload-json.ts';
import { Refusal } from '../completion/refusal.ts';
import { countOpenUpdates } from '../store/statements/updates.ts';
import type { Store } from '../store/store.ts';
import { workflowUpdates } from '../store/tables.ts';
import {
  checkArguments,
  type ExternalOutcome,
  type ExternalRequest,
  earlierOutcome,
  holdExternalCommand,
  parseExternalRequest,
  requireOpen,
} from './external-command.ts';
import { inRun } from './in-run.ts';
import type { TransactionSettings } from './transaction.ts';
import { wakeRun } from './wake-run.ts';

/** What the sender of an update learns; it asks for the answer by `update_id`. */
export interface UpdateOutcome extends ExternalOutcome {
  readonly update_id: string;
}

/**
 * Sends an update to a run, which answers it with `complete_update` or `fail_update`. Wakes the run. The update's id is its
 * command's, so that a repeated request finds it again.
 * @throws Refusal `invalid_request`, `payload_too_large`, `run_not_found`, `run_closed`, `pending_limit_exceeded`.
 */
export async function sendUpdate(
  store: Store,
  settings: TransactionSettings & { readonly limits: { readonly pendingUpdates: number } },
  runId: string,
  updateName: string,
  request: ExternalRequest = {},
): Promise<UpdateOutcome> {
  const parsed = parseExternalRequest(request, updateName);
  checkArguments(parsed.arguments, settings.limits.payloadBytes);
  return inRun(store, settings, runId, {}, async context => {
    const { run, now } = context;
    const earlier = await earlierOutcome(context, 'update', parsed);
    if (earlier) return { ...earlier, update_id: earlier.command_id };
    requireOpen(context);
    const [count] = await context.read(countOpenUpdates, [runId]);
    const limit = settings.limits.pendingUpdates;
    if ((count?.pending ?? 0) >= limit)
      throw new Refusal(
        'pending_limit_exceeded',
        `run ${runId} has ${count?.pending} pending updates, the limit is ${limit}`,
      );
    const outcome = await holdExternalCommand(context, 'update', parsed, {
      outcome: 'update_accepted',
      applied: false,
    });
    const id = outcome.command_id;
    const args = parsed.arguments ?? null;
    const codec = args === null ? null : (parsed.payload_codec ?? run.payloadCodec);
    context.holdRow(
      context.row(workflowUpdates, {
        id,
        workflow_command_id: id,
        update_name: updateName,
        status: 'accepted',
        payload_codec: codec,
        arguments: args,
        accepted_at: now,
        created_at: now,
        updated_at: now,
      }),
    );
    const shown = args === null ? undefined : payloadJson({ codec: codec ?? undefined, blob: args }, run.payloadCodec);
    const keys = {
      workflow_command_id: id,
      update_id: id,
      workflow_instance_id: run.instanceId,
      workflow_run_id: runId,
      update_name: updateName,
      arguments: shown && (JSON.parse(shown) as unknown),
    };
    context.holdEvent(context.event('UpdateAccepted', keys, id));
    await wakeRun(context);
    return { ...outcome, update_id: id };
  });
}
