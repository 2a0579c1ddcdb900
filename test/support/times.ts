import { Instant } from '../../src/store/instant.ts';
import type { Store } from '../../src/store/store.ts';
import { ask, readAll } from './reading.ts';

const task = { leased_at: 'time?', lease_expires_at: 'time?', available_at: 'time' } as const;

/** Every time that is stored of a run, by where it stands; a time that comes back as another moment comes back as another text. */
export async function readTimes(store: Store, runId: string): Promise<Record<string, string>> {
  const { events, ...rows } = await readAll(store, runId);
  const tasks = await store.read(
    ask(task, `select ${Object.keys(task).join(', ')} from workflow_tasks where workflow_run_id = ? order by id`),
    [runId],
  );
  const recorded = await store.read(
    ask(
      { recorded_at: 'time' },
      'select recorded_at from workflow_history_events where workflow_run_id = ? order by sequence',
    ),
    [runId],
  );
  const times: Record<string, string> = {};
  const visit = (node: unknown, path: string): void => {
    if (node instanceof Instant) times[path] = node.toString();
    else if (typeof node === 'string' && /^\d{4}-\d\d-\d\dT/.test(node)) times[path] = node;
    else if (node !== null && typeof node === 'object')
      for (const [key, child] of Object.entries(node)) visit(child, `${path}.${key}`);
  };
  visit({ ...rows, tasks, recorded, payloads: events.map(({ payload }) => payload) }, '');
  return times;
}
