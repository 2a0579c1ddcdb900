import type { EventDraft, PrepareContext, ReceivedSignal } from './command.ts';
import { payloadJson } from './payload-json.ts';

/** The event of a signal that reaches its wait; `value` is the signal's arguments. */
export function signalApplied(
  context: PrepareContext,
  signalName: string,
  signal: ReceivedSignal,
  runCodec: string,
): EventDraft {
  const keys = {
    workflow_command_id: signal.commandId ?? undefined,
    signal_id: signal.id,
    signal_name: signalName,
    signal_wait_id: signal.waitId,
  };
  if (signal.arguments === null) return context.event('SignalApplied', keys);
  const value = JSON.parse(
    payloadJson({ codec: signal.codec ?? undefined, blob: signal.arguments }, runCodec),
  ) as unknown;
  return context.event('SignalApplied', { ...keys, value });
}
