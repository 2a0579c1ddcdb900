import { signalApplied } from '../commands/signal-applied.ts';
import { Refusal } from '../completion/refusal.ts';
import type { Row } from '../store/statement.ts';
import { countReceivedSignals } from '../store/statements/signals.ts';
import { openSignalWaitByName } from '../store/statements/waits.ts';
import type { Store } from '../store/store.ts';
import { workflowSignals } from '../store/tables.ts';
import {
  checkArguments,
  type ExternalOutcome,
  type ExternalRequest,
  earlierOutcome,
  holdExternalCommand,
  type ParsedRequest,
  parseExternalRequest,
  requireOpen,
} from './external-command.ts';
import { inRun } from './in-run.ts';
import { resolveWait } from './resolve-wait.ts';
import type { RunContext } from './run-context.ts';
import type { TransactionSettings } from './transaction.ts';
import { wakeRun } from './wake-run.ts';

/**
 * Sends a signal to a run: applied to its oldest open wait of that name, else kept until one opens. Wakes the run.
 * @throws Refusal `invalid_request`, `payload_too_large`, `run_not_found`, `run_closed`, `pending_limit_exceeded`.
 */
export async function sendSignal(
  store: Store,
  settings: TransactionSettings & { readonly limits: { readonly pendingSignals: number } },
  runId: string,
  signalName: string,
  request: ExternalRequest = {},
): Promise<ExternalOutcome> {
  const parsed = parseExternalRequest(request, signalName);
  checkArguments(parsed.arguments, settings.limits.payloadBytes);
  return inRun(store, settings, runId, {}, async context => {
    const earlier = await earlierOutcome(context, 'signal', parsed);
    if (earlier) return earlier;
    requireOpen(context);
    const [wait] = await context.read(openSignalWaitByName, [runId, signalName]);
    if (wait === undefined) await checkPendingSignals(context, settings.limits.pendingSignals);
    const outcome = await holdExternalCommand(context, 'signal', parsed, {
      outcome: wait ? 'signal_applied' : 'signal_received',
      applied: wait !== undefined,
    });
    await receive(context, signalName, parsed, outcome.command_id, wait);
    await wakeRun(context);
    return outcome;
  });
}

async function checkPendingSignals(context: RunContext, limit: number): Promise<void> {
  const [count] = await context.read(countReceivedSignals, [context.run.id]);
  if ((count?.pending ?? 0) >= limit)
    throw new Refusal(
      'pending_limit_exceeded',
      `run ${context.run.id} has ${count?.pending} pending signals, the limit is ${limit}`,
    );
}

async function receive(
  context: RunContext,
  signalName: string,
  request: ParsedRequest,
  commandId: string,
  wait: Row<typeof openSignalWaitByName.columns> | undefined,
): Promise<void> {
  const { run, now } = context;
  const id = context.newId();
  const waitId = wait?.id ?? context.newId();
  const args = request.arguments ?? null;
  const codec = args === null ? null : (request.payload_codec ?? run.payloadCodec);
  context.holdRow(
    context.row(workflowSignals, {
      id,
      workflow_command_id: commandId,
      signal_name: signalName,
      signal_wait_id: waitId,
      status: wait ? 'applied' : 'received',
      payload_codec: codec,
      arguments: args,
      received_at: now,
      applied_at: wait ? now : null,
      created_at: now,
      updated_at: now,
    }),
  );
  const keys = {
    workflow_command_id: commandId,
    signal_id: id,
    workflow_instance_id: run.instanceId,
    workflow_run_id: run.id,
    signal_name: signalName,
    signal_wait_id: waitId,
    arguments: args ?? undefined,
    payload_codec: codec ?? undefined,
  };
  context.holdEvent(context.event('SignalReceived', keys, commandId));
  if (wait === undefined) return;
  const signal = { id, commandId, waitId, codec, arguments: args };
  context.holdEvent(signalApplied(context, signalName, signal, run.payloadCodec), { sequence: wait.sequence });
  await resolveWait(context, wait, 'resolved');
}
