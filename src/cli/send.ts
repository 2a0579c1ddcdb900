import type { Command } from 'commander';
import { sendSignal } from '../transaction/send-signal.ts';
import { sendUpdate } from '../transaction/send-update.ts';
import type { CliContext } from './context.ts';
import { addExternalOptions, type ExternalOptions, externalRequest } from './external-options.ts';
import { formatPairs } from './table.ts';

/** `signals send` and `updates send`: what reaches a run that goes on. */
export function addSend(program: Command, context: CliContext): void {
  for (const [group, send] of [
    ['signals', sendSignal],
    ['updates', sendUpdate],
  ] as const) {
    const one = group.slice(0, -1);
    const command = program
      .command(group)
      .description(`send ${group} to a run`)
      .addHelpText('after', `\nExample:\n  completiond ${group} send 01J8Z0M7T9… approved`)
      .command('send <run-id> <name>')
      .description(`send one ${one}; wakes the run`);
    addExternalOptions(command)
      .addHelpText(
        'after',
        `\nExample:\n  completiond ${group} send 01J8Z0M7T9… approved --arguments '["yes"]' --request-id r-17`,
      )
      .action((runId: string, name: string, options: ExternalOptions) =>
        context.withStore(async (store, settings) => {
          const outcome = await send(store, settings, runId, name, externalRequest(options));
          context.print(outcome, () => formatPairs(Object.entries(outcome)));
        }),
      );
  }
}
