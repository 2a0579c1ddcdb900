import type { Row } from '../store/statement.ts';
import { memoOfRun, searchAttributesOfRun } from '../store/statements/attributes.ts';
import type { RunContext } from './run-context.ts';

type Attribute = Row<typeof searchAttributesOfRun.columns>;

/** A search attribute's typed column → its value in JSON. */
export function attributeValue(attribute: Attribute): unknown {
  const { value_string, value_keyword, value_int, value_float, value_bool, value_datetime } = attribute;
  if (attribute.value_keyword_list !== null) return JSON.parse(attribute.value_keyword_list) as unknown;
  if (value_int !== null) return Number(value_int);
  return value_string ?? value_keyword ?? value_float ?? value_bool ?? value_datetime?.toString() ?? null;
}

/** A document of the run as it is stored, by name. */
export async function readDocument(
  context: RunContext,
  kind: 'search_attributes' | 'memo',
): Promise<Map<string, unknown>> {
  if (kind === 'memo') {
    const memo = await context.read(memoOfRun, [context.run.id]);
    return new Map(memo.map(({ name, value }) => [name, JSON.parse(value) as unknown]));
  }
  const attributes = await context.read(searchAttributesOfRun, [context.run.id]);
  return new Map(attributes.map(attribute => [attribute.name, attributeValue(attribute)]));
}
