import { z } from 'zod';
import { deleteSearchAttribute } from '../store/statements/attributes.ts';
import { workflowSearchAttributes } from '../store/tables.ts';
import { defineCommand } from './command.ts';
import { mergeDocument } from './document.ts';
import { byName } from './fields.ts';
import {
  fitsType,
  inferType,
  type SearchAttributeValue,
  searchAttributeType,
  typedColumns,
} from './search-attribute.ts';

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()], {
  error: 'expected a string, a number, a boolean, a list of strings, or null to delete',
});

const schema = z
  .strictObject({
    type: z.literal('upsert_search_attributes'),
    attributes: byName(value),
    attribute_types: byName(searchAttributeType).nullish(),
  })
  .superRefine(({ attributes, attribute_types }, context) => {
    const report = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    for (const key of Object.keys(attribute_types ?? {}))
      if (!(key in attributes)) report(['attribute_types', key], 'no attribute has this name');
    for (const [key, given] of Object.entries(attributes)) {
      if (given === null) continue;
      const type = attribute_types?.[key] ?? inferType(given);
      if (!fitsType(given, type)) report(['attributes', key], `is not a value of type ${type}`);
    }
  });

/** Sets attributes of the run that it can be found by; null deletes one. */
export const upsertSearchAttributes = defineCommand({
  type: 'upsert_search_attributes',
  role: 'step',
  schema,
  prepare({ attributes, attribute_types }, context) {
    const { now } = context;
    const rows = Object.entries(attributes).flatMap(([key, given]) => {
      if (given === null) return [];
      const type = attribute_types?.[key] ?? inferType(given);
      const id = context.newId();
      const columns = { id, name: key, type, ...typedColumns(given as SearchAttributeValue, type) };
      return [context.row(workflowSearchAttributes, { ...columns, created_at: now, updated_at: now })];
    });
    return {
      rows,
      events: [context.event('SearchAttributesUpserted', { attributes })],
      async apply(tx) {
        const merged = await mergeDocument(tx, 'search_attributes', attributes);
        for (const key of Object.keys(attributes)) tx.write(deleteSearchAttribute, [tx.run.id, key]);
        for (const row of rows) tx.holdRow(row);
        tx.holdEvent(tx.event('SearchAttributesUpserted', { attributes, merged }), { sequence: tx.nextStep() });
      },
    };
  },
});
