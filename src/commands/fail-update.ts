import { z } from 'zod';
import { endUpdate } from '../store/statements/updates.ts';
import { workflowFailures } from '../store/tables.ts';
import { checkUpdateOpen, readUpdate } from './accepted-update.ts';
import { defineCommand } from './command.ts';
import { name, optionalName, text } from './fields.ts';

/** The workflow answers an accepted update with a failure. */
export const failUpdate = defineCommand({
  type: 'fail_update',
  role: 'step',
  schema: z.strictObject({
    type: z.literal('fail_update'),
    update_id: name,
    message: text,
    exception_class: optionalName,
    exception_type: optionalName,
    non_retryable: z.boolean().nullish(),
  }),
  prepare(command, context) {
    const { update_id, message, exception_class, exception_type } = command;
    const nonRetryable = command.non_retryable ?? false;
    context.checkSize('message', message);
    const failureId = context.newId();
    const failure = context.row(workflowFailures, {
      id: failureId,
      source_kind: 'workflow_update',
      source_id: update_id,
      propagation_kind: 'update',
      failure_category: 'application',
      non_retryable: nonRetryable,
      handled: false,
      exception_class: exception_class ?? exception_type ?? null,
      message,
      created_at: context.now,
    });
    const keys = {
      update_id,
      failure_id: failureId,
      failure_category: 'application',
      non_retryable: nonRetryable,
      exception_type,
      exception_class,
      message,
    };
    return {
      rows: [failure],
      events: [context.event('UpdateCompleted', keys)],
      check: tx => checkUpdateOpen(tx, update_id),
      async apply(tx) {
        const update = await readUpdate(tx, update_id);
        const commandId = update.workflow_command_id ?? undefined;
        const payload = {
          workflow_command_id: commandId,
          workflow_instance_id: tx.run.instanceId,
          workflow_run_id: tx.run.id,
          update_name: update.update_name,
          ...keys,
        };
        tx.holdRow(failure);
        tx.holdEvent(tx.event('UpdateCompleted', payload, commandId), { sequence: tx.nextStep() });
        const values = ['failed', update.payload_codec, null, failureId, message, tx.now, tx.now, tx.now, update_id];
        tx.write(endUpdate, values);
      },
    };
  },
});
