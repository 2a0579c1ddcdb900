import type { Command } from 'commander';
import type { ExternalRequest } from '../transaction/external-command.ts';

/** Options of everything that is sent to a run from outside. */
export interface ExternalOptions {
  readonly arguments?: string;
  readonly codec?: string;
  readonly requestId?: string;
  readonly reason?: string;
}

export function addExternalOptions(command: Command): Command {
  return command
    .option('--arguments <text>', 'encoded arguments')
    .option('--codec <codec>', "codec of the arguments; else the run's")
    .option('--request-id <id>', 'makes it idempotent: sent again, it does nothing')
    .option('--reason <text>', 'why, for people who read the history');
}

export function externalRequest({ arguments: args, codec, requestId, reason }: ExternalOptions): ExternalRequest {
  return { arguments: args, payload_codec: codec, request_id: requestId, reason };
}
