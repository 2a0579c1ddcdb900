import { z } from 'zod';
import { endUpdate } from '../store/statements/updates.ts';
import { checkUpdateOpen, readUpdate, updateApplied } from './accepted-update.ts';
import { defineCommand } from './command.ts';
import { name, optionalPayload, payloadCodec } from './fields.ts';
import { payloadJson } from './payload-json.ts';

/** The workflow applied an accepted update and answers it. */
export const completeUpdate = defineCommand({
  type: 'complete_update',
  role: 'step',
  schema: z.strictObject({
    type: z.literal('complete_update'),
    update_id: name,
    result: optionalPayload,
    payload_codec: payloadCodec,
  }),
  prepare(command, context) {
    const { update_id } = command;
    const result = context.payload('result', command.result, command.payload_codec);
    const estimate = [
      context.event('UpdateApplied', { update_id }),
      context.event('UpdateCompleted', { update_id, result: result?.blob }),
    ];
    return {
      rows: [],
      events: estimate,
      check: tx => checkUpdateOpen(tx, update_id),
      async apply(tx) {
        const update = await readUpdate(tx, update_id);
        const sequence = tx.nextStep();
        tx.holdEvent(updateApplied(tx, update), { sequence });
        const keys = {
          workflow_command_id: update.workflow_command_id ?? undefined,
          update_id,
          workflow_instance_id: tx.run.instanceId,
          workflow_run_id: tx.run.id,
          update_name: update.update_name,
          result: result && (JSON.parse(payloadJson(result, tx.run.payloadCodec)) as unknown),
        };
        tx.holdEvent(tx.event('UpdateCompleted', keys, update.workflow_command_id ?? undefined), { sequence });
        const codec = result ? (result.codec ?? tx.run.payloadCodec) : update.payload_codec;
        tx.write(endUpdate, ['completed', codec, result?.blob ?? null, null, null, tx.now, tx.now, tx.now, update_id]);
      },
    };
  },
});
