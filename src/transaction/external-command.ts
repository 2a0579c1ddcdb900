import { z } from 'zod';
import { instanceId, name, optionalName, optionalText } from '../commands/fields.ts';
import { Refusal } from '../completion/refusal.ts';
import { isStorable } from '../completion/text.ts';
import { commandByRequest, lastCommandSequence } from '../store/statements/commands.ts';
import { workflowCommands } from '../store/tables.ts';
import type { RunContext } from './run-context.ts';

const storable = { error: 'holds U+0000 or a lone surrogate' };

/** What every command from outside may carry. */
export const externalRequestSchema = z.strictObject({
  arguments: z.string().refine(isStorable, storable).nullish(),
  payload_codec: optionalName,
  /** Makes the command idempotent within the workflow instance. */
  request_id: instanceId.nullish(),
  reason: optionalText,
});
export type ExternalRequest = z.input<typeof externalRequestSchema>;
export type ParsedRequest = z.output<typeof externalRequestSchema>;

/** What the sender of a command from outside learns. */
export interface ExternalOutcome {
  readonly run_id: string;
  readonly command_id: string;
  /** False when the request id had been seen before: nothing was done again. */
  readonly recorded: boolean;
  readonly outcome: string;
}

/** @throws Refusal `payload_too_large`. */
export function checkArguments(text: string | null | undefined, payloadBytes: number): void {
  const bytes = Buffer.byteLength(text ?? '');
  if (bytes > payloadBytes)
    throw new Refusal(
      'payload_too_large',
      `arguments: ${bytes} bytes, the limit is ${payloadBytes} (limits.payloadBytes)`,
    );
}

/** @throws Refusal `invalid_request` naming every bad field. */
export function parseExternalRequest(request: ExternalRequest, commandName?: string): ParsedRequest {
  const schema = commandName === undefined ? externalRequestSchema : externalRequestSchema.extend({ name });
  const parsed = schema.safeParse(commandName === undefined ? request : { ...request, name: commandName });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(issue => `${issue.path.join('.') || '(the request)'}: ${issue.message}`);
  throw new Refusal('invalid_request', problems.join('; '));
}

/** The outcome of an earlier command with this request id, if there was one. */
export async function earlierOutcome(
  context: RunContext,
  type: string,
  request: ParsedRequest,
): Promise<ExternalOutcome | undefined> {
  if (!request.request_id) return undefined;
  const [command] = await context.read(commandByRequest, [context.run.instanceId, request.request_id]);
  if (command === undefined) return undefined;
  if (command.command_type !== type)
    throw new Refusal('invalid_request', `request_id: ${request.request_id} was used for a ${command.command_type}`);
  const { id: command_id, workflow_run_id: run_id, outcome } = command;
  return { run_id, command_id, recorded: false, outcome: outcome ?? command.status };
}

/** @throws Refusal `run_closed`. */
export function requireOpen(context: RunContext): void {
  if (context.run.isClosed) throw new Refusal('run_closed', `run ${context.run.id} is ${context.run.status}`);
}

/** Holds the row of an accepted command. @returns what its sender learns. */
export async function holdExternalCommand(
  context: RunContext,
  type: 'signal' | 'update' | 'cancel' | 'terminate',
  request: ParsedRequest,
  end: { readonly outcome: string; readonly applied: boolean },
  id: string = context.newId(),
): Promise<ExternalOutcome> {
  const { run, now } = context;
  const [last] = await context.read(lastCommandSequence, [run.id]);
  context.holdRow(
    context.row(workflowCommands, {
      id,
      workflow_instance_id: run.instanceId,
      command_type: type,
      request_id: request.request_id ?? null,
      status: 'accepted',
      outcome: end.outcome,
      payload_codec: request.arguments ? (request.payload_codec ?? run.payloadCodec) : null,
      payload: request.arguments ?? null,
      command_sequence: (last?.last ?? 0) + 1,
      accepted_at: now,
      applied_at: end.applied ? now : null,
      created_at: now,
    }),
  );
  return { run_id: run.id, command_id: id, recorded: true, outcome: end.outcome };
}
