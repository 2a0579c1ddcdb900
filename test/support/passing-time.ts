import type { Instant } from '../../src/store/instant.ts';
import type { Store } from '../../src/store/store.ts';
import { ask } from './reading.ts';

/** Times that say when something of a run is due or runs out, by table. */
const clocks = [
  ['workflow_tasks', ['available_at', 'lease_expires_at']],
  ['activity_executions', ['close_deadline_at', 'schedule_to_close_deadline_at']],
  ['workflow_runs', ['execution_deadline_at', 'run_deadline_at']],
] as const;

/** Moves what is due later in a run nearer: for what the product decides by them, as if so many seconds had passed. */
export async function passTime(store: Store, runId: string, seconds: number): Promise<void> {
  for (const [table, [first, second]] of clocks) {
    const run = table === 'workflow_runs' ? 'id' : 'workflow_run_id';
    const columns = { id: 'text', first: 'time?', second: 'time?' } as const;
    const rows = await store.read(
      ask(columns, `select id, ${first} as first, ${second} as second from ${table} where ${run} = ?`),
      [runId],
    );
    const update = {
      name: `test-pass-${table}`,
      sql: () => `update ${table} set ${first} = ?, ${second} = ? where id = ?`,
    };
    const nearer = (time: Instant | null) => time?.plusSeconds(-seconds) ?? null;
    await store.transaction(async tx => {
      for (const row of rows) tx.write(update, [nearer(row.first), nearer(row.second), row.id]);
    });
  }
}
