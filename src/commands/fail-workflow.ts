import { z } from 'zod';
import { workflowFailures } from '../store/tables.ts';
import { defineCommand } from './command.ts';
import { encodeException } from './exception.ts';
import { optionalException, optionalName, text } from './fields.ts';

/** The run ends with a failure of its own code. */
export const failWorkflow = defineCommand({
  type: 'fail_workflow',
  role: 'terminal',
  schema: z.strictObject({
    type: z.literal('fail_workflow'),
    message: text,
    exception_class: optionalName,
    exception_type: optionalName,
    exception: optionalException,
    non_retryable: z.boolean().optional(),
  }),
  prepare(command, context) {
    const { message, exception_class, exception_type } = command;
    const exception = encodeException(command.exception)?.blob;
    const nonRetryable = command.non_retryable ?? false;
    context.checkSize('message', message);
    context.checkSize('exception', exception);
    const failureId = context.newId();
    const failure = context.row(workflowFailures, {
      id: failureId,
      source_kind: 'workflow_run',
      propagation_kind: 'terminal',
      failure_category: 'application',
      non_retryable: nonRetryable,
      handled: false,
      exception_class: exception_class ?? exception_type ?? null,
      message,
      created_at: context.now,
    });
    const event = context.event('WorkflowFailed', {
      failure_id: failureId,
      source_kind: 'workflow_run',
      failure_category: 'application',
      non_retryable: nonRetryable,
      exception_type,
      exception_class,
      message,
      exception,
    });
    return {
      rows: [failure],
      events: [event],
      needs: ['closing'],
      async apply(tx) {
        tx.holdRow(failure, { source_id: tx.run.id });
        tx.holdEvent(event, { source_id: tx.run.id });
        await tx.closeRun({
          status: 'failed',
          reason: 'failed',
          failure: {
            id: failureId,
            category: 'application',
            message,
            nonRetryable,
            exceptionClass: exception_class,
            exceptionType: exception_type,
            exception,
          },
        });
      },
    };
  },
});
