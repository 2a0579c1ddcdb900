import { z } from 'zod';
import { defineCommand } from './command.ts';
import { nonNegativeInt, optionalName } from './fields.ts';
import { prepareWaitTimer } from './wait-timer.ts';

const fingerprint = z.string().regex(/^sha256:[0-9a-f]{64}$/, { error: 'expected sha256: and 64 hexadecimal digits' });

/** Waits until a condition of the workflow's own state holds, or a time-out. */
export const openConditionWait = defineCommand({
  type: 'open_condition_wait',
  role: 'step',
  schema: z.strictObject({
    type: z.literal('open_condition_wait'),
    condition_key: optionalName,
    condition_definition_fingerprint: fingerprint.nullish(),
    timeout_seconds: nonNegativeInt.nullish(),
  }),
  prepare(command, context) {
    const waitId = context.newId();
    const timeoutSeconds = command.timeout_seconds ?? undefined;
    const keys = {
      condition_wait_id: waitId,
      condition_key: command.condition_key,
      condition_definition_fingerprint: command.condition_definition_fingerprint ?? undefined,
    };
    const event = context.event('ConditionWaitOpened', { ...keys, timeout_seconds: timeoutSeconds });
    const timer = prepareWaitTimer(context, 'condition_timeout', timeoutSeconds, waitId, keys);
    return {
      rows: timer?.rows ?? [],
      opensWait: true,
      events: timer ? [event, timer.event] : [event],
      apply(tx) {
        const sequence = tx.nextStep();
        tx.holdEvent(event, { sequence });
        timer?.hold(tx, sequence);
        tx.openWait({
          id: waitId,
          kind: 'condition',
          sequence,
          name: command.condition_key,
          fingerprint: keys.condition_definition_fingerprint,
          timerId: timer?.id,
          timeoutSeconds,
          deadline: timer?.fireAt,
        });
      },
    };
  },
});
