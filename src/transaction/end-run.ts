import type { Store } from '../store/store.ts';
import { endRun } from './close-children.ts';
import {
  type ExternalOutcome,
  type ExternalRequest,
  earlierOutcome,
  holdExternalCommand,
  parseExternalRequest,
  requireOpen,
} from './external-command.ts';
import { inRun } from './in-run.ts';
import type { TransactionSettings } from './transaction.ts';

/**
 * Cancels or terminates a run from outside, in one transaction: the run ends, its parent is told and its children follow by
 * their policies. A worker that still holds a task of it is refused with `run_closed`.
 * @throws Refusal `invalid_request`, `run_not_found`, `run_closed`.
 */
async function end(
  store: Store,
  settings: TransactionSettings,
  runId: string,
  kind: 'cancel' | 'terminate',
  request: ExternalRequest,
): Promise<ExternalOutcome> {
  const parsed = parseExternalRequest(request);
  return inRun(store, settings, runId, { mayEnd: true }, async context => {
    const earlier = await earlierOutcome(context, kind, parsed);
    if (earlier) return earlier;
    requireOpen(context);
    const state = kind === 'cancel' ? 'cancelled' : 'terminated';
    const outcome = await holdExternalCommand(context, kind, parsed, { outcome: state, applied: true });
    await endRun(context, kind, parsed.reason, outcome.command_id);
    return outcome;
  });
}

/** See `end`. */
export function cancelRun(store: Store, settings: TransactionSettings, runId: string, request: ExternalRequest = {}) {
  return end(store, settings, runId, 'cancel', request);
}

/** See `end`. */
export function terminateRun(
  store: Store,
  settings: TransactionSettings,
  runId: string,
  request: ExternalRequest = {},
) {
  return end(store, settings, runId, 'terminate', request);
}
