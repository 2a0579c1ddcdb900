import type { Migration } from '../migrate.ts';
import { type ColumnTypes, initialSchema } from '../schema.ts';

export const types: ColumnTypes = {
  id: 'text',
  name: 'text',
  key: 'text',
  blob: 'text',
  json: 'text',
  int: 'integer',
  bigint: 'integer',
  float: 'real',
  bool: 'integer',
  time: 'text',
  tableOptions: ' strict',
};

export const migrations: readonly Migration[] = [{ version: 1, name: 'initial', statements: initialSchema(types) }];
