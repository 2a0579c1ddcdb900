import { z } from 'zod';
import { deleteMemo } from '../store/statements/attributes.ts';
import { workflowMemos } from '../store/tables.ts';
import { defineCommand } from './command.ts';
import { mergeDocument } from './document.ts';
import { byName } from './fields.ts';

/** Sets notes of the run for people to read; null deletes one. */
export const upsertMemo = defineCommand({
  type: 'upsert_memo',
  role: 'step',
  schema: z.strictObject({
    type: z.literal('upsert_memo'),
    entries: byName(z.json()),
  }),
  prepare({ entries }, context) {
    const { now } = context;
    const rows = Object.entries(entries).flatMap(([key, value]) =>
      value === null
        ? []
        : [
            context.row(workflowMemos, {
              id: context.newId(),
              name: key,
              value: JSON.stringify(value),
              created_at: now,
              updated_at: now,
            }),
          ],
    );
    return {
      rows,
      events: [context.event('MemoUpserted', { entries })],
      async apply(tx) {
        const merged = await mergeDocument(tx, 'memo', entries);
        for (const key of Object.keys(entries)) tx.write(deleteMemo, [tx.run.id, key]);
        for (const row of rows) tx.holdRow(row);
        tx.holdEvent(tx.event('MemoUpserted', { entries, merged }), { sequence: tx.nextStep() });
      },
    };
  },
});
