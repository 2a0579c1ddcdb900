import { z } from 'zod';
import { settingsSchema } from '../../config/settings.ts';
import { instanceId, name, optionalName, optionalSeconds } from '../commands/fields.ts';
import { draftNewRun, type NewRun, workflowStarted } from '../commands/new-run.ts';
import { Refusal } from '../completion/refusal.ts';
import { isStorable } from '../completion/text.ts';
import { Instant } from '../store/instant.ts';
import { instanceWithRun } from '../store/statements/runs.ts';
import { openWorkflowTask } from '../store/statements/tasks.ts';
import type { Store, StoreTransaction } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { workflowCommands, workflowInstances } from '../store/tables.ts';
import { Drafting } from './drafting.ts';
import { checkArguments } from './external-command.ts';

const defaultPayloadBytes = settingsSchema.parse({}).limits.payloadBytes;

/** What `startRun` takes. */
export const startRequestSchema = z.strictObject({
  workflow_type: name,
  queue: name,
  workflow_id: instanceId.optional(),
  arguments: z.string().refine(isStorable, { error: 'holds U+0000 or a lone surrogate' }).optional(),
  payload_codec: name.default('json'),
  if_exists: z.enum(['refuse', 'use']).default('refuse'),
  namespace: name.default('default'),
  workflow_class: optionalName,
  business_key: optionalName,
  connection: optionalName,
  execution_timeout_seconds: optionalSeconds,
  run_timeout_seconds: optionalSeconds,
});
export type StartRequest = z.input<typeof startRequestSchema>;

/** A started run; the task id is null when an open run was used. */
export interface StartedRun {
  readonly workflow_id: string;
  readonly run_id: string;
  readonly task_id: string | null;
}

/**
 * Starts a run with its first workflow task, in one transaction: instance, run, command, task, `StartAccepted` and
 * `WorkflowStarted`.
 * @param payloadBytes what the arguments may have at most: setting `limits.payloadBytes`.
 * @throws Refusal `invalid_request` with every bad field, `payload_too_large`, or `workflow_id_already_exists`.
 */
export async function startRun(
  store: Store,
  request: StartRequest,
  payloadBytes: number = defaultPayloadBytes,
): Promise<StartedRun> {
  const parsed = startRequestSchema.safeParse(request);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(issue => `${issue.path.join('.') || '(the request)'}: ${issue.message}`);
    throw new Refusal('invalid_request', problems.join('; '));
  }
  const start = parsed.data;
  checkArguments(start.arguments, payloadBytes);
  const existing = start.workflow_id && (await existingRun(store, start.workflow_id, start.if_exists));
  if (existing) return existing;
  try {
    return await store.transaction(tx => insertRun(tx, start));
  } catch (error) {
    // Two starts of one id at once: the other one's instance is there by now, or this is a failure of its own.
    const other = start.workflow_id && error instanceof StoreError && error.failure.class === 'defect';
    const winner = other && (await existingRun(store, start.workflow_id ?? '', start.if_exists));
    if (winner) return winner;
    throw error;
  }
}

async function existingRun(store: Store, id: string, ifExists: 'refuse' | 'use'): Promise<StartedRun | undefined> {
  const [instance] = await store.read(instanceWithRun, [id]);
  if (instance === undefined) return undefined;
  const isOpen = ['pending', 'running', 'waiting'].includes(instance.status ?? '');
  if (ifExists === 'refuse' || !isOpen || instance.current_run_id === null) {
    const state = isOpen ? 'has an open run' : 'exists and its run is closed';
    throw new Refusal('workflow_id_already_exists', `workflow ${id} ${state}`);
  }
  const [task] = await store.read(openWorkflowTask, [instance.current_run_id]);
  return { workflow_id: id, run_id: instance.current_run_id, task_id: task?.id ?? null };
}

async function insertRun(tx: StoreTransaction, start: z.output<typeof startRequestSchema>): Promise<StartedRun> {
  const now = Instant.now();
  const drafting = new Drafting({ now, taskId: '', leaseOwner: '', payloadBytes: Number.POSITIVE_INFINITY });
  const runId = drafting.newId();
  const commandId = drafting.newId();
  const instanceId = start.workflow_id ?? drafting.newId();
  const run: NewRun = {
    runId,
    instanceId,
    runNumber: 1,
    workflowType: start.workflow_type,
    workflowClass: start.workflow_class,
    namespace: start.namespace,
    payloadCodec: start.payload_codec,
    arguments: start.arguments,
    connection: start.connection ?? null,
    queue: start.queue,
    businessKey: start.business_key,
    executionTimeoutSeconds: start.execution_timeout_seconds,
    runTimeoutSeconds: start.run_timeout_seconds,
    commandId,
  };
  const accepted = {
    workflow_command_id: commandId,
    workflow_instance_id: instanceId,
    workflow_run_id: runId,
    workflow_class: start.workflow_class,
    workflow_type: start.workflow_type,
    business_key: start.business_key,
    outcome: 'started_new',
  };
  const events = [drafting.event('StartAccepted', accepted, commandId), workflowStarted(drafting, run, {})];
  const { taskId, rows } = draftNewRun(drafting, run, events);
  tx.insert(workflowInstances, [
    {
      id: instanceId,
      workflow_type: start.workflow_type,
      workflow_class: start.workflow_class ?? null,
      namespace: start.namespace,
      business_key: start.business_key ?? null,
      current_run_id: runId,
      run_count: 1,
      execution_timeout_seconds: start.execution_timeout_seconds ?? null,
      started_at: now,
      created_at: now,
      updated_at: now,
    },
  ]);
  tx.insert(workflowCommands, [
    {
      id: commandId,
      workflow_instance_id: instanceId,
      workflow_run_id: runId,
      command_type: 'start',
      status: 'accepted',
      outcome: 'started_new',
      payload_codec: start.payload_codec,
      payload: start.arguments ?? null,
      command_sequence: 1,
      accepted_at: now,
      applied_at: now,
      created_at: now,
    },
  ]);
  for (const { table, row } of rows) tx.insert(table, [row]);
  return { workflow_id: instanceId, run_id: runId, task_id: taskId };
}
