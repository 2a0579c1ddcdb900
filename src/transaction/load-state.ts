import type { Need, PendingKind, ReceivedSignal } from '../commands/command.ts';
import { Refusal } from '../completion/refusal.ts';
import type { Row } from '../store/statement.ts';
import { pendingCountsOfRun } from '../store/statements/closing.ts';
import { lockRunOfTask } from '../store/statements/runs.ts';
import { receivedSignalsOfTask } from '../store/statements/signals.ts';
import { taskWithReceipt } from '../store/statements/tasks.ts';
import type { StoreTransaction } from '../store/store.ts';
import { type Family, lockFamily } from './family.ts';

type Signal = Row<typeof receivedSignalsOfTask.columns>;

/** Received, unapplied signals of a run, handed out oldest first. */
export class ReceivedSignals {
  readonly #signals: Signal[];

  constructor(signals: readonly Signal[] = []) {
    this.#signals = [...signals];
  }

  take(name: string): ReceivedSignal | undefined {
    const index = this.#signals.findIndex(({ signal_name }) => signal_name === name);
    const signal = index < 0 ? undefined : this.#signals.splice(index, 1)[0];
    return (
      signal && {
        id: signal.id,
        commandId: signal.workflow_command_id,
        waitId: signal.signal_wait_id,
        codec: signal.payload_codec,
        arguments: signal.arguments,
      }
    );
  }
}

/** Locks the task's run and reads everything its completion needs; one round trip where the driver can, and no family is needed. */
export async function lockAndLoad(tx: StoreTransaction, taskId: string, needs: ReadonlySet<Need>) {
  const family = needs.has('closing') ? await lockFamilyOfTask(tx, taskId) : undefined;
  const [locked, tasks, signals] = await Promise.all([
    family ? [] : tx.read(lockRunOfTask, [taskId]),
    tx.read(taskWithReceipt, [taskId]),
    needs.has('signals') ? tx.read(receivedSignalsOfTask, [taskId]) : [],
  ]);
  const [task] = tasks;
  const run = family && task ? family.runs.get(task.workflow_run_id) : locked[0];
  return { run, task, family, signals: new ReceivedSignals(signals) };
}

async function lockFamilyOfTask(tx: StoreTransaction, taskId: string): Promise<Family | undefined> {
  const [task] = await tx.read(taskWithReceipt, [taskId]);
  return task && lockFamily(tx, task.workflow_run_id);
}

/** Pending things that a run may have at once: settings `limits.pending*`. */
export interface PendingLimits {
  readonly pendingActivities: number;
  readonly pendingChildren: number;
  readonly pendingTimers: number;
}

/** @throws Refusal `pending_limit_exceeded` when the run would have too many things pending. */
export async function checkPending(
  tx: StoreTransaction,
  runId: string,
  adds: readonly PendingKind[],
  limits: PendingLimits,
): Promise<void> {
  if (adds.length === 0) return;
  const [pending] = await tx.read(pendingCountsOfRun, [runId]);
  const limitOf = {
    activities: limits.pendingActivities,
    children: limits.pendingChildren,
    timers: limits.pendingTimers,
  };
  for (const kind of ['activities', 'children', 'timers'] as const) {
    const added = adds.filter(add => add === kind).length;
    const total = (pending?.[kind] ?? 0) + added;
    if (added > 0 && total > limitOf[kind])
      throw new Refusal(
        'pending_limit_exceeded',
        `run ${runId} would have ${total} pending ${kind}, the limit is ${limitOf[kind]}`,
      );
  }
}
