import type { EncodedPayload } from './command.ts';
import type { Exception } from './fields.ts';

/** An exception as it is stored: a payload's own text, or the JSON text of an object. */
export function encodeException(exception: Exception): EncodedPayload | undefined {
  if (exception === undefined) return undefined;
  if (typeof exception === 'string') return { codec: undefined, blob: exception };
  if (typeof exception.codec === 'string' && typeof exception.blob === 'string')
    return { codec: exception.codec, blob: exception.blob };
  return { codec: 'json', blob: JSON.stringify(exception) };
}
