import { list, query, write } from '../statement.ts';

const attribute = {
  name: 'text',
  type: 'text',
  value_string: 'text?',
  value_keyword: 'text?',
  value_int: 'bigint?',
  value_float: 'float?',
  value_bool: 'bool?',
  value_datetime: 'time?',
  value_keyword_list: 'json?',
} as const;
export const attributeColumns = attribute;

/** Parameters: run id. */
export const searchAttributesOfRun = query(
  'search-attributes-of-run',
  attribute,
  `select ${list(attribute)} from workflow_search_attributes where workflow_run_id = ? order by name`,
);

/** Parameters: run id, name. */
export const deleteSearchAttribute = write(
  'delete-search-attribute',
  'delete from workflow_search_attributes where workflow_run_id = ? and name = ?',
);

/** Parameters: run id. */
export const memoOfRun = query(
  'memo-of-run',
  { name: 'text', value: 'text' },
  'select name, value from workflow_memos where workflow_run_id = ? order by name',
);

/** Parameters: run id, name. */
export const deleteMemo = write('delete-memo', 'delete from workflow_memos where workflow_run_id = ? and name = ?');
