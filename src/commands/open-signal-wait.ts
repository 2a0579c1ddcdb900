import { z } from 'zod';
import { applySignal } from '../store/statements/signals.ts';
import type { ApplyContext } from './command.ts';
import { defineCommand } from './command.ts';
import { name, nonNegativeInt } from './fields.ts';
import { signalApplied } from './signal-applied.ts';
import { prepareWaitTimer } from './wait-timer.ts';

/** Waits for a signal by name. One that came before its wait gives the wait its id and resolves it at once. */
export const openSignalWait = defineCommand({
  type: 'open_signal_wait',
  role: 'step',
  schema: z.strictObject({
    type: z.literal('open_signal_wait'),
    signal_name: name,
    timeout_seconds: nonNegativeInt.nullish(),
  }),
  prepare(command, context) {
    const { signal_name } = command;
    const timeout_seconds = command.timeout_seconds ?? undefined;
    const ownWaitId = context.newId();
    const opened = (waitId: string) =>
      context.event('SignalWaitOpened', { signal_name, signal_wait_id: waitId, timeout_seconds });
    const event = opened(ownWaitId);
    const timer = prepareWaitTimer(context, 'signal_timeout', timeout_seconds, ownWaitId, {
      signal_wait_id: ownWaitId,
      signal_name,
    });
    return {
      rows: timer?.rows ?? [],
      opensWait: true,
      events: timer ? [event, timer.event] : [event],
      needs: ['signals'],
      async apply(tx: ApplyContext) {
        const sequence = tx.nextStep();
        const signal = tx.takeSignal(signal_name);
        const waitId = signal?.waitId ?? ownWaitId;
        tx.holdEvent(signal ? opened(waitId) : event, { sequence });
        const wait = {
          id: waitId,
          kind: 'signal' as const,
          sequence,
          name: signal_name,
          timeoutSeconds: timeout_seconds,
        };
        if (signal === undefined) {
          timer?.hold(tx, sequence);
          tx.openWait({ ...wait, timerId: timer?.id, deadline: timer?.fireAt });
          return;
        }
        tx.openWait({ ...wait, resolved: true });
        tx.holdEvent(signalApplied(tx, signal_name, signal, tx.run.payloadCodec), { sequence });
        tx.write(applySignal, [tx.now, tx.now, signal.id]);
        await tx.wakeRun();
      },
    };
  },
});
