import type { EncodedPayload } from './command.ts';

/**
 * A payload as JSON for events that have no `payload_codec` key: the bare text when its codec is the run's, else the text
 * with its codec, so that nothing is lost.
 */
export function payloadJson(payload: EncodedPayload | undefined, runCodec: string): string {
  if (payload === undefined) return 'null';
  if (payload.codec === undefined || payload.codec === runCodec) return JSON.stringify(payload.blob);
  return JSON.stringify(payload);
}
