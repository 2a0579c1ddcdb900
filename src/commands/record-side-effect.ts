import { z } from 'zod';
import { defineCommand } from './command.ts';
import { payload, payloadCodec } from './fields.ts';
import { payloadJson } from './payload-json.ts';

/** A value the workflow computed once and must see again at replay. */
export const recordSideEffect = defineCommand({
  type: 'record_side_effect',
  role: 'step',
  schema: z.strictObject({ type: z.literal('record_side_effect'), result: payload, payload_codec: payloadCodec }),
  prepare(command, context) {
    const result = context.payload('result', command.result, command.payload_codec);
    const event = context.event('SideEffectRecorded', { result });
    return {
      rows: [],
      events: [event],
      apply(tx) {
        const members = `"result":${payloadJson(result, tx.run.payloadCodec)},`;
        tx.holdEvent({ ...event, members }, { sequence: tx.nextStep() });
      },
    };
  },
});
