import { ulid } from 'ulid';
import type { Store } from '../../src/store/store.ts';
import { claimTask } from '../../src/transaction/claim-task.ts';
import { startRun } from '../../src/transaction/start-run.ts';

/** The step behind which the completion of forty records has its side effect. */
const sideEffectAfter = 35;

/** A record as wide as real ones: an event of about 500 bytes. */
const record = (step: number): object => ({
  type: 'record_local_activity',
  activity_type: `order.step-${step}`,
  arguments: JSON.stringify({ order: 'A-1001', step, lines: [{ sku: 'chair', quantity: 4 }] }),
  outcome: 'completed',
  result: JSON.stringify({ step, total_cents: 199_900, currency: 'EUR' }),
  retry_policy: { max_attempts: 3, backoff_seconds: [1, 5] },
  start_to_close_timeout: 30,
  attempts: [{ attempt_id: `worker-1-${step}`, attempt_number: 1, outcome: 'completed', duration_ms: 12 }],
});

/** A completion's commands: so many records, and a side effect among forty. */
export function commandsOf(records: number): object[] {
  const list = Array.from({ length: records }, (_, step) => record(step));
  if (records === 40) list.splice(sideEffectAfter, 0, { type: 'record_side_effect', result: '{"random":42}' });
  return list;
}

/** Completions of claimed tasks, each of a run of its own: what workers would have done before the clock starts. */
export async function prepareCompletions(store: Store, count: number, records: number): Promise<object[]> {
  const commands = commandsOf(records);
  let left = count;
  const lanes = Array.from({ length: 8 }, async () => {
    const list: object[] = [];
    while (left > 0) {
      left -= 1;
      const queue = `bench-${ulid()}`;
      await startRun(store, { workflow_type: 'bench', queue });
      const task = await claimTask(store, {
        queue,
        lease_owner: 'bench',
        task_type: 'workflow',
        lease_seconds: 86_400,
      });
      if (task === undefined) throw new Error('no task to claim');
      const { task_id, lease_owner, workflow_task_attempt } = task;
      list.push({ task_id, lease_owner, workflow_task_attempt, commands });
    }
    return list;
  });
  return (await Promise.all(lanes)).flat();
}

/** Runs `work` over a list, so many at a time. */
export async function inFlight<T>(list: readonly T[], count: number, work: (item: T) => Promise<void>): Promise<void> {
  const items = list.values();
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (const item of items) await work(item);
    }),
  );
}
