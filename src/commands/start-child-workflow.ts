import { z } from 'zod';
import { Refusal } from '../completion/refusal.ts';
import { instanceById } from '../store/statements/children.ts';
import { workflowChildCalls, workflowInstances, workflowLinks } from '../store/tables.ts';
import { defineCommand } from './command.ts';
import { instanceId, name, optionalName, optionalPayload, payloadCodec, retryPolicy, seconds } from './fields.ts';
import { draftNewRun, type NewRun, workflowStarted } from './new-run.ts';
import { parallelFields, parallelGroup } from './parallel.ts';

/** Starts a run of its own that the parent waits for. */
export const startChildWorkflow = defineCommand({
  type: 'start_child_workflow',
  role: 'step',
  schema: z.strictObject({
    type: z.literal('start_child_workflow'),
    workflow_type: name,
    workflow_id: instanceId.nullish(),
    arguments: optionalPayload,
    payload_codec: payloadCodec,
    queue: optionalName,
    connection: optionalName,
    parent_close_policy: z.enum(['abandon', 'request_cancel', 'terminate']).nullish(),
    retry_policy: retryPolicy.nullish(),
    execution_timeout_seconds: seconds.nullish(),
    run_timeout_seconds: seconds.nullish(),
    ...parallelFields,
  }),
  prepare(command, context) {
    const { now } = context;
    const args = context.payload('arguments', command.arguments, command.payload_codec);
    const group = parallelGroup(command);
    const childRunId = context.newId();
    const instance = command.workflow_id ?? context.newId();
    const linkId = context.newId();
    const callId = context.newId();
    const waitId = context.newId();
    const policy = command.parent_close_policy ?? 'abandon';
    const childRun: Omit<NewRun, 'namespace' | 'payloadCodec' | 'queue' | 'connection'> = {
      runId: childRunId,
      instanceId: instance,
      runNumber: 1,
      workflowType: command.workflow_type,
      arguments: args?.blob,
      executionTimeoutSeconds: command.execution_timeout_seconds ?? undefined,
      runTimeoutSeconds: command.run_timeout_seconds ?? undefined,
    };
    const instanceRow = context.row(workflowInstances, {
      id: instance,
      workflow_type: command.workflow_type,
      current_run_id: childRunId,
      run_count: 1,
      execution_timeout_seconds: command.execution_timeout_seconds ?? null,
      started_at: now,
      created_at: now,
      updated_at: now,
    });
    const link = context.row(workflowLinks, {
      id: linkId,
      link_type: 'child_workflow',
      linked_workflow_instance_id: instance,
      linked_workflow_run_id: childRunId,
      created_at: now,
    });
    const call = context.row(workflowChildCalls, {
      id: callId,
      workflow_link_id: linkId,
      child_workflow_instance_id: instance,
      child_workflow_run_id: childRunId,
      child_workflow_type: command.workflow_type,
      parent_close_policy: policy,
      status: 'open',
      attempt_count: 1,
      retry_policy: command.retry_policy ? JSON.stringify(command.retry_policy) : null,
      parallel_group: group ? JSON.stringify(group) : null,
      created_at: now,
      updated_at: now,
    });
    const keys = {
      workflow_link_id: linkId,
      child_call_id: callId,
      child_workflow_instance_id: instance,
      child_workflow_run_id: childRunId,
      child_workflow_type: command.workflow_type,
      child_run_number: 1,
      parent_close_policy: policy,
      retry_policy: command.retry_policy ?? undefined,
      ...group,
    };
    const scheduled = context.event('ChildWorkflowScheduled', keys);
    const started = context.event('ChildRunStarted', {
      ...keys,
      child_status: 'pending',
      execution_timeout_seconds: childRun.executionTimeoutSeconds,
      run_timeout_seconds: childRun.runTimeoutSeconds,
    });
    const estimate = draftNewRun(
      context,
      { ...childRun, namespace: '', payloadCodec: '', queue: '', connection: '' },
      [],
    );
    const childStarted = workflowStarted(
      context,
      { ...childRun, namespace: '', payloadCodec: '', queue: '', connection: '' },
      {},
    );
    return {
      rows: [instanceRow, link, call, ...estimate.rows],
      opensWait: true,
      events: [scheduled, started, childStarted],
      adds: ['children'],
      async check(tx) {
        const [taken] = command.workflow_id ? await tx.read(instanceById, [instance]) : [];
        if (taken) throw new Refusal('workflow_id_already_exists', `workflow ${instance} already exists`);
      },
      apply(tx) {
        const sequence = tx.nextStep();
        const { namespace, payloadCodec } = tx.run;
        const run: NewRun = {
          ...childRun,
          namespace,
          payloadCodec: args?.codec ?? payloadCodec,
          queue: command.queue ?? tx.run.queue,
          connection: command.connection ?? tx.run.connection,
        };
        const origin = {
          parent_workflow_instance_id: tx.run.instanceId,
          parent_workflow_run_id: tx.run.id,
          workflow_link_id: linkId,
          child_call_id: callId,
          retry_policy: command.retry_policy ?? undefined,
        };
        tx.holdNewRun(draftNewRun(tx, run, [workflowStarted(tx, run, origin, { parent_sequence: sequence })]), {
          ...instanceRow,
          row: { ...instanceRow.row, namespace },
        });
        tx.holdRow(link, { sequence });
        tx.holdRow(call, { sequence });
        tx.holdEvent(scheduled, { sequence });
        tx.holdEvent(started, { sequence });
        tx.openWait({
          id: waitId,
          kind: 'child',
          sequence,
          name: command.workflow_type,
          sourceId: callId,
          parallelGroupId: group?.parallel_group_id,
        });
      },
    };
  },
});
