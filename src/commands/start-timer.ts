import { z } from 'zod';
import { defineCommand } from './command.ts';
import { nonNegativeInt } from './fields.ts';
import { parallelFields, parallelGroup } from './parallel.ts';
import { prepareTimer } from './wait-timer.ts';

/** A durable timer: fires once, `delay_seconds` after the moment of applying. */
export const startTimer = defineCommand({
  type: 'start_timer',
  role: 'step',
  schema: z.strictObject({ type: z.literal('start_timer'), delay_seconds: nonNegativeInt, ...parallelFields }),
  prepare(command, context) {
    const group = parallelGroup(command);
    const timer = prepareTimer(context, 'timer', command.delay_seconds, undefined, {}, group);
    const waitId = context.newId();
    return {
      rows: timer.rows,
      opensWait: true,
      events: [timer.event],
      adds: ['timers'],
      apply(tx) {
        const sequence = tx.nextStep();
        timer.hold(tx, sequence);
        tx.openWait({
          id: waitId,
          kind: 'timer',
          sequence,
          sourceId: timer.id,
          timerId: timer.id,
          parallelGroupId: group?.parallel_group_id,
          timeoutSeconds: command.delay_seconds,
          deadline: timer.fireAt,
        });
      },
    };
  },
});
