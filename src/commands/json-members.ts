import { Instant } from '../store/instant.ts';

function encode(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return value instanceof Instant ? `"${value}"` : JSON.stringify(value);
  }
}

/**
 * Members of a JSON object as text, each with a comma behind; what is null or undefined is left out. Payloads are put together
 * from such texts: what several events share is made once, and integers of any size are exact.
 */
export function members(values: object): string {
  let text = '';
  for (const key of Object.keys(values)) {
    const value = (values as Readonly<Record<string, unknown>>)[key];
    if (value !== undefined && value !== null) text += `"${key}":${encode(value)},`;
  }
  return text;
}

/** The JSON object of some members. */
export function objectOf(text: string): string {
  return `{${text.slice(0, -1)}}`;
}
