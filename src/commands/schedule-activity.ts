import { z } from 'zod';
import { activityExecutions, workflowTasks } from '../store/tables.ts';
import type { PrepareContext, RowDraft } from './command.ts';
import { defineCommand } from './command.ts';
import { name, optionalName, optionalPayload, payloadCodec, retryPolicy, seconds } from './fields.ts';
import { parallelFields, parallelGroup } from './parallel.ts';

const timeouts = {
  start_to_close_timeout: seconds.nullish(),
  schedule_to_start_timeout: seconds.nullish(),
  schedule_to_close_timeout: seconds.nullish(),
  heartbeat_timeout: seconds.nullish(),
};

/** A task that ends an activity that was not started, or not closed, in time; the scheduler fires it like a timer. */
export function activityTimeoutTask(
  context: PrepareContext,
  executionId: string,
  kind: 'schedule_to_start' | 'schedule_to_close' | 'start_to_close',
  afterSeconds: number,
  attemptTaskId?: string,
): RowDraft<typeof workflowTasks> {
  return context.row(workflowTasks, {
    id: context.newId(),
    task_type: 'timer',
    status: 'ready',
    payload: JSON.stringify({ activity_execution_id: executionId, timeout_kind: kind, task_id: attemptTaskId }),
    available_at: context.now.plusSeconds(afterSeconds),
  });
}

/** An activity for a worker to claim: `pending`, with a ready task. */
export const scheduleActivity = defineCommand({
  type: 'schedule_activity',
  role: 'step',
  schema: z.strictObject({
    type: z.literal('schedule_activity'),
    activity_type: name,
    arguments: optionalPayload,
    payload_codec: payloadCodec,
    queue: optionalName,
    connection: optionalName,
    retry_policy: retryPolicy.nullish(),
    ...timeouts,
    ...parallelFields,
  }),
  prepare(command, context) {
    const { now } = context;
    const executionId = context.newId();
    const waitId = context.newId();
    const args = context.payload('arguments', command.arguments, command.payload_codec);
    const group = parallelGroup(command);
    const toStart = command.schedule_to_start_timeout ?? undefined;
    const toClose = command.schedule_to_close_timeout ?? undefined;
    const options = {
      start_to_close_timeout: command.start_to_close_timeout ?? undefined,
      schedule_to_start_timeout: toStart,
      schedule_to_close_timeout: toClose,
      heartbeat_timeout: command.heartbeat_timeout ?? undefined,
    };
    const execution = context.row(activityExecutions, {
      id: executionId,
      activity_type: command.activity_type,
      status: 'pending',
      arguments: args?.blob ?? null,
      attempt_count: 0,
      retry_policy: command.retry_policy ? JSON.stringify(command.retry_policy) : null,
      activity_options: JSON.stringify({ ...options, ...group }),
      schedule_deadline_at: toStart ? now.plusSeconds(toStart) : null,
      schedule_to_close_deadline_at: toClose ? now.plusSeconds(toClose) : null,
      created_at: now,
      updated_at: now,
    });
    const task = context.row(workflowTasks, {
      id: context.newId(),
      task_type: 'activity',
      status: 'ready',
      payload: JSON.stringify({ activity_execution_id: executionId }),
      available_at: now,
    });
    const timeoutTasks = [
      ...(toStart ? [activityTimeoutTask(context, executionId, 'schedule_to_start', toStart)] : []),
      ...(toClose ? [activityTimeoutTask(context, executionId, 'schedule_to_close', toClose)] : []),
    ];
    const event = context.event('ActivityScheduled', {
      activity_execution_id: executionId,
      activity_type: command.activity_type,
      workflow_task_id: context.taskId,
      activity: {
        id: executionId,
        activity_type: command.activity_type,
        status: 'pending',
        attempt_count: 0,
        ...options,
        retry_policy: command.retry_policy ?? undefined,
        payload_codec: args?.codec,
        arguments: args?.blob,
      },
      ...group,
    });
    return {
      rows: [execution, task, ...timeoutTasks],
      opensWait: true,
      events: [event],
      adds: ['activities'],
      apply(tx) {
        const sequence = tx.nextStep();
        const queue = command.queue ?? tx.run.queue;
        const connection = command.connection ?? tx.run.connection;
        tx.holdRow(execution, { sequence, queue, connection, payload_codec: args?.codec ?? tx.run.payloadCodec });
        tx.holdTask(task, { queue, connection });
        for (const timeoutTask of timeoutTasks) tx.holdTask(timeoutTask);
        tx.holdEvent(event, { sequence });
        tx.openWait({
          id: waitId,
          kind: 'activity',
          sequence,
          name: command.activity_type,
          sourceId: executionId,
          parallelGroupId: group?.parallel_group_id,
          timeoutSeconds: toClose,
          deadline: toClose ? now.plusSeconds(toClose) : undefined,
        });
      },
    };
  },
});
