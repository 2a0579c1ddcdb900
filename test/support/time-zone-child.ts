import { settingsSchema } from '../../config/settings.ts';
import { openStore } from '../../src/store/open-store.ts';
import { claimTask } from '../../src/transaction/claim-task.ts';
import { handleJob } from '../../src/transaction/handle-job.ts';
import { startRun } from '../../src/transaction/start-run.ts';
import { readTimes } from './times.ts';

// Run in another time zone, with a database's URL and a command list: completes a task there and prints the run's id, what
// its own clock said, and every time as it reads it back.
const [, , url = '', commands = '[]'] = process.argv;
const settings = settingsSchema.parse({ database: { url } });
const store = await openStore({ database: settings.database, connections: 1 });
const beforeMs = Date.now();
const { run_id } = await startRun(store, { workflow_type: 't', queue: 'zone', run_timeout_seconds: 3_600 });
const request = { queue: 'zone', lease_owner: 'w', task_type: 'workflow', lease_seconds: 60 } as const;
const task = await claimTask(store, request);
if (task === undefined) throw new Error('the task of the run cannot be claimed');
const { task_id, lease_owner, workflow_task_attempt } = task;
const data = `{"task_id":"${task_id}","lease_owner":"${lease_owner}","workflow_task_attempt":${workflow_task_attempt},"commands":${commands}}`;
const verdict = await handleJob(store, settings, { name: 'completion', id: 'job', data, enqueuedAtMs: Date.now() });
const times = await readTimes(store, run_id);
await store.close();
const offset = new Date().getTimezoneOffset();
console.log(JSON.stringify({ run_id, offset, beforeMs, afterMs: Date.now(), verdict: verdict.kind, times }));
