import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Store } from '../../src/store/store.ts';
import { ask } from './reading.ts';

const allowed = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL('../fixtures/history-event-keys.json', import.meta.url), 'utf8')) as Record<
      string,
      string[]
    >,
  ).map(([type, keys]) => [type, new Set([...keys, 'task', 'command'])]),
);

const runs = ask({ id: 'text' }, 'select id from workflow_runs');
const events = ask(
  { event_type: 'text', payload: 'json' },
  'select event_type, payload from workflow_history_events where workflow_run_id = ?',
);

/** Every event of a database is of a known type, has only that type's keys, and none that is null. */
export async function assertEventKeys(store: Store): Promise<void> {
  for (const { id } of await store.read(runs, []))
    for (const { event_type, payload } of await store.read(events, [id])) {
      const keys = allowed.get(event_type);
      assert.ok(keys, `${event_type} is no type of an event`);
      for (const [key, value] of Object.entries(JSON.parse(payload) as object)) {
        assert.ok(keys.has(key), `${event_type} carries ${key}`);
        assert.notEqual(value, null, `${event_type}.${key} is null`);
      }
    }
}
