import { z } from 'zod';
import { Instant } from '../store/instant.ts';
import type { NewRow } from '../store/table.ts';
import type { workflowSearchAttributes } from '../store/tables.ts';

/** Types of search attributes; each has its column. */
export const searchAttributeType = z.enum(['string', 'keyword', 'int', 'float', 'bool', 'datetime', 'keyword_list']);
export type SearchAttributeType = z.infer<typeof searchAttributeType>;

export type SearchAttributeValue = string | number | boolean | string[];

const maxKeywordCharacters = 255;

/** The type of a value that was given without one. */
export function inferType(value: SearchAttributeValue): SearchAttributeType {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (Array.isArray(value)) return 'keyword_list';
  return [...value].length <= maxKeywordCharacters ? 'keyword' : 'string';
}

function instantOf(value: SearchAttributeValue): Instant | undefined {
  if (typeof value !== 'string') return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : Instant.fromMs(ms);
}

const isKeyword = (value: unknown) => typeof value === 'string' && [...value].length <= maxKeywordCharacters;

const accepts: Record<SearchAttributeType, (value: SearchAttributeValue) => boolean> = {
  string: value => typeof value === 'string',
  keyword: isKeyword,
  int: value => Number.isSafeInteger(value),
  float: value => typeof value === 'number' && Number.isFinite(value),
  bool: value => typeof value === 'boolean',
  datetime: value => instantOf(value) !== undefined,
  keyword_list: value => Array.isArray(value) && value.every(isKeyword),
};

/** Whether a value can be stored under a type. */
export function fitsType(value: SearchAttributeValue, type: SearchAttributeType): boolean {
  return accepts[type](value);
}

/** The typed column of a value that fits its type. */
export function typedColumns(
  value: SearchAttributeValue,
  type: SearchAttributeType,
): NewRow<typeof workflowSearchAttributes> {
  switch (type) {
    case 'string':
      return { value_string: String(value) };
    case 'keyword':
      return { value_keyword: String(value) };
    case 'int':
      return { value_int: BigInt(value as number) };
    case 'float':
      return { value_float: Number(value) };
    case 'bool':
      return { value_bool: value === true };
    case 'datetime':
      return { value_datetime: instantOf(value) ?? null };
    case 'keyword_list':
      return { value_keyword_list: JSON.stringify(value) };
  }
}
