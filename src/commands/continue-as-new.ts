import { z } from 'zod';
import { searchAttributesOfRun } from '../store/statements/attributes.ts';
import { advanceInstance, moveChildCall, runToRepeat } from '../store/statements/children.ts';
import { workflowLinks, workflowMemos, workflowSearchAttributes } from '../store/tables.ts';
import type { ApplyContext } from './command.ts';
import { defineCommand } from './command.ts';
import { name, optionalPayload, payloadCodec } from './fields.ts';
import { draftNewRun, type NewRun, workflowStarted } from './new-run.ts';

/** The run ends and the next run of its instance goes on with an empty history; memo and search attributes go along. */
export const continueAsNew = defineCommand({
  type: 'continue_as_new',
  role: 'terminal',
  schema: z.strictObject({
    type: z.literal('continue_as_new'),
    arguments: optionalPayload,
    payload_codec: payloadCodec,
    workflow_type: name.nullish(),
    queue: name.nullish(),
  }),
  prepare(command, context) {
    const args = context.payload('arguments', command.arguments, command.payload_codec);
    const nextRunId = context.newId();
    const linkId = context.newId();
    const link = context.row(workflowLinks, {
      id: linkId,
      link_type: 'continue_as_new',
      linked_workflow_run_id: nextRunId,
      created_at: context.now,
    });
    const keys = { continued_to_run_id: nextRunId, workflow_link_id: linkId, closed_reason: 'continued' };
    const event = context.event('WorkflowContinuedAsNew', keys);
    const started = context.event('WorkflowStarted', { arguments: args?.blob });
    return {
      rows: [link],
      events: [event, started],
      needs: ['closing'],
      async apply(tx) {
        const [current] = await tx.read(runToRepeat, [tx.run.id]);
        const runNumber = (current?.run_count ?? 0) + 1;
        const run: NewRun = {
          runId: nextRunId,
          instanceId: tx.run.instanceId,
          runNumber,
          workflowType: command.workflow_type ?? tx.run.workflowType,
          workflowClass: current?.workflow_class ?? undefined,
          namespace: tx.run.namespace,
          payloadCodec: args?.codec ?? tx.run.payloadCodec,
          arguments: args?.blob,
          connection: tx.run.connection,
          queue: command.queue ?? tx.run.queue,
          executionDeadline: current?.execution_deadline_at ?? undefined,
          runTimeoutSeconds: current?.run_timeout_seconds ?? undefined,
        };
        const { instanceId } = tx.run;
        tx.holdRow(link, { linked_workflow_instance_id: instanceId });
        tx.holdEvent(event, { continued_to_run_number: runNumber });
        tx.holdNewRun(draftNewRun(tx, run, [workflowStarted(tx, run, { continued_from_run_id: tx.run.id })]));
        await inherit(tx, nextRunId);
        tx.write(advanceInstance, [nextRunId, runNumber, tx.now, instanceId]);
        tx.write(moveChildCall, [nextRunId, tx.now, tx.run.id]);
        await tx.closeRun({ status: 'completed', reason: 'continued', continuedTo: nextRunId });
      },
    };
  },
});

async function inherit(tx: ApplyContext, nextRunId: string): Promise<void> {
  const fixed = { workflow_run_id: nextRunId, created_at: tx.now, updated_at: tx.now };
  for (const [name, value] of await tx.document('memo'))
    tx.holdRow(tx.row(workflowMemos, { id: tx.newId(), name, value: JSON.stringify(value), ...fixed }));
  for (const attribute of await tx.read(searchAttributesOfRun, [tx.run.id]))
    tx.holdRow(tx.row(workflowSearchAttributes, { id: tx.newId(), ...attribute, ...fixed }));
}
