import { openWorkflowTask, requestResume } from '../store/statements/tasks.ts';
import { openGroupMembers } from '../store/statements/waits.ts';
import { workflowTasks } from '../store/tables.ts';
import type { RunContext } from './run-context.ts';

/**
 * Wakes a run with one workflow task, however often it is asked. A ready task will see what happened when it is claimed; a
 * leased one has been handed out already, so its completion is told to create the next.
 */
export async function wakeRun(context: RunContext): Promise<void> {
  if (context.woken) return;
  context.woken = true;
  if (context.completingTaskId === undefined) {
    const [task] = await context.read(openWorkflowTask, [context.run.id]);
    if (task?.status === 'leased') context.write(requestResume, ['{"resume_requested":true}', context.now, task.id]);
    if (task) return;
  }
  const id = context.newId();
  context.holdTask(
    context.row(workflowTasks, { id, task_type: 'workflow', status: 'ready', available_at: context.now }),
  );
  context.run.nextTaskId = id;
}

/**
 * Wakes a run after one of its waits ended. A member of a parallel group wakes it when it is the last one, or when it failed.
 */
export async function wakeAfterWait(context: RunContext, groupId: string | null, failed: boolean): Promise<void> {
  if (groupId !== null && !failed) {
    const [members] = await context.read(openGroupMembers, [context.run.id, groupId]);
    if ((members?.open ?? 0) > 0) return;
  }
  await wakeRun(context);
}
