import { z } from 'zod';
import { defineCommand } from './command.ts';
import { optionalPayload, payloadCodec } from './fields.ts';

/** The run ends well. */
export const completeWorkflow = defineCommand({
  type: 'complete_workflow',
  role: 'terminal',
  schema: z.strictObject({
    type: z.literal('complete_workflow'),
    result: optionalPayload,
    payload_codec: payloadCodec,
  }),
  prepare(command, context) {
    const output = context.payload('result', command.result, command.payload_codec);
    const event = context.event('WorkflowCompleted', { output: output?.blob });
    return {
      rows: [],
      events: [event],
      needs: ['closing'],
      async apply(tx) {
        tx.holdEvent(event, { payload_codec: output && (output.codec ?? tx.run.payloadCodec) });
        await tx.closeRun({ status: 'completed', reason: 'completed', output });
      },
    };
  },
});
