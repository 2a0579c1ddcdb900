import type { Need, ReceivedSignal } from '../commands/command.ts';
import type { Row } from '../store/statement.ts';
import { openPartsOfTask } from '../store/statements/closing.ts';
import { lockRunOfTask } from '../store/statements/runs.ts';
import { receivedSignalsOfTask } from '../store/statements/signals.ts';
import { taskWithReceipt } from '../store/statements/tasks.ts';
import type { StoreTransaction } from '../store/store.ts';

type Signal = Row<typeof receivedSignalsOfTask.columns>;
type OpenParts = Row<typeof openPartsOfTask.columns>;

/** What the commands of one completion asked to have read under the lock. */
export class LoadedState {
  /** The workflow task that will wake the run again, once there is one. */
  wakeTaskId: string | undefined;
  /** What of the run is still open; known when a command that closes it asked. */
  readonly openParts: OpenParts | undefined;
  readonly #signals: Signal[];

  constructor(signals: readonly Signal[], openParts: OpenParts | undefined) {
    this.#signals = [...signals];
    this.openParts = openParts;
  }

  takeSignal(name: string): ReceivedSignal | undefined {
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

/** Locks the task's run and reads everything its completion needs, in one round trip where the driver can. */
export async function lockAndLoad(tx: StoreTransaction, taskId: string, needs: ReadonlySet<Need>) {
  const wanted = <T>(need: Need, read: () => Promise<readonly T[]>): Promise<readonly T[]> =>
    needs.has(need) ? read() : Promise.resolve([]);
  const [runs, tasks, signals, parts] = await Promise.all([
    tx.read(lockRunOfTask, [taskId]),
    tx.read(taskWithReceipt, [taskId]),
    wanted('signals', () => tx.read(receivedSignalsOfTask, [taskId])),
    wanted('closing', () => tx.read(openPartsOfTask, [taskId, taskId, taskId, taskId])),
  ]);
  return { run: runs[0], task: tasks[0], state: new LoadedState(signals, parts[0]) };
}
