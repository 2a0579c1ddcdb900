import { z } from 'zod';
import { defineCommand } from './command.ts';
import { integer, name } from './fields.ts';

/** Which version of a changed piece of workflow code this run follows. */
export const recordVersionMarker = defineCommand({
  type: 'record_version_marker',
  role: 'step',
  schema: z.strictObject({
    type: z.literal('record_version_marker'),
    change_id: name,
    version: integer,
    min_supported: integer,
    max_supported: integer,
  }),
  prepare(command, context) {
    const { type: _, ...payload } = command;
    const event = context.event('VersionMarkerRecorded', payload);
    return { rows: [], events: [event], apply: tx => tx.holdEvent(event, { sequence: tx.nextStep() }) };
  },
});
