import type { EventHead } from './command.ts';

/** A head as JSON text, each key with its comma: integers of any size are exact. */
export function headText(head: EventHead): string {
  let text = '';
  for (const [key, value] of Object.entries(head))
    if (value !== undefined) text += `"${key}":${typeof value === 'string' ? JSON.stringify(value) : value},`;
  return text;
}

/** Puts a head in front of a body. */
export function withHead(head: string, body: string): string {
  if (head === '') return body;
  return body === '{}' ? `{${head.slice(0, -1)}}` : `{${head}${body.slice(1)}`;
}
