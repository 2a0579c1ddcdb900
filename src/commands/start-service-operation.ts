import { z } from 'zod';
import { workflowServiceCalls } from '../store/tables.ts';
import { defineCommand } from './command.ts';
import { name, optionalName, payload, payloadCodec } from './fields.ts';

/** A call of another service's operation is on its way. */
export const startServiceOperation = defineCommand({
  type: 'start_service_operation',
  role: 'step',
  schema: z.strictObject({
    type: z.literal('start_service_operation'),
    endpoint_name: name,
    service_name: name,
    operation_name: name,
    request_payload: payload,
    payload_codec: payloadCodec,
    mode_override: z.enum(['sync', 'async']).nullish(),
    wait_for: z.enum(['accepted', 'completed']).nullish(),
    idempotency_key: optionalName,
  }),
  prepare(command, context) {
    const { now } = context;
    const id = context.newId();
    const request = context.payload('request_payload', command.request_payload, command.payload_codec);
    const { endpoint_name, service_name, operation_name } = command;
    const operation_mode = command.mode_override ?? undefined;
    const wait_for = command.wait_for ?? undefined;
    const row = context.row(workflowServiceCalls, {
      id,
      endpoint_name,
      service_name,
      operation_name,
      operation_mode: operation_mode ?? null,
      wait_for: wait_for ?? null,
      idempotency_key: command.idempotency_key ?? null,
      request_payload: request?.blob ?? '',
      status: 'started',
      started_at: now,
      created_at: now,
      updated_at: now,
    });
    const event = context.event('ServiceCallStarted', {
      service_call_id: id,
      endpoint_name,
      service_name,
      operation_name,
      operation_mode,
      wait_for,
      status: 'started',
      request_payload: request?.blob,
    });
    return {
      rows: [row],
      events: [event],
      apply(tx) {
        const sequence = tx.nextStep();
        const codec = request?.codec ?? tx.run.payloadCodec;
        tx.holdRow(row, { sequence, payload_codec: codec });
        tx.holdEvent(event, {
          sequence,
          payload_codec: codec,
          caller_workflow_instance_id: tx.run.instanceId,
          caller_workflow_run_id: tx.run.id,
        });
      },
    };
  },
});
