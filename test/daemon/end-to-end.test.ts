import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Settings, settingsSchema } from '../../config/settings.ts';
import { CompletionProducer } from '../../src/queue/producer.ts';
import { openStore } from '../../src/store/open-store.ts';
import { readActivities } from '../../src/store/reads.ts';
import type { Store } from '../../src/store/store.ts';
import { verify } from '../../src/store/verify.ts';
import { claimTask } from '../../src/transaction/claim-task.ts';
import { startRun } from '../../src/transaction/start-run.ts';
import { DaemonProcess } from '../support/daemon-process.ts';
import { commandList, record, signalWait } from '../support/drive.ts';
import { readEvents } from '../support/reading.ts';
import { servers } from '../support/servers.ts';

const places = [
  {
    title: 'SQLite and the embedded queue',
    database: (dir: string) => `sqlite:${dir}/t.db`,
    queue: (dir: string) => `embedded:${dir}/queue`,
  },
  { title: 'PostgreSQL and Redis', database: () => servers.postgresUrl(), queue: () => servers.redisUrl() },
  {
    title: 'MariaDB and a queue on PostgreSQL',
    database: () => servers.mysqlUrl(),
    queue: () => servers.postgresUrl(),
  },
] as const;

for (const { title, database, queue } of places) {
  describe(`the whole way on ${title}`, () => {
    let directory: string;
    let settings: Settings;
    let daemon: DaemonProcess;
    let producer: CompletionProducer;
    let store: Store;

    before(async function () {
      this.timeout(60_000);
      directory = mkdtempSync(join(tmpdir(), 'completiond-way-'));
      const prefix = `way${process.pid}_${Math.random().toString(36).slice(2)}`;
      settings = settingsSchema.parse({
        database: { url: await database(directory) },
        queue: { url: await queue(directory), prefix },
      });
      daemon = await DaemonProcess.start({
        COMPLETIOND_DATABASE_URL: settings.database.url,
        COMPLETIOND_QUEUE_URL: settings.queue.url,
        COMPLETIOND_QUEUE_PREFIX: prefix,
        COMPLETIOND_TIMERS_POLL_MS: '100',
      });
      producer = await CompletionProducer.connect(settings);
      store = await openStore({ database: settings.database, connections: 4 });
    });
    after(async function () {
      this.timeout(30_000);
      assert.deepEqual((await verify(store)).problems, []);
      await producer.close();
      await store.close();
      assert.equal(await daemon.stop(), 0);
      await rm(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    });

    async function claimed(name: string) {
      const task = await claimTask(store, { queue: name, lease_owner: 'w', task_type: 'workflow', lease_seconds: 60 });
      assert.ok(task);
      const { task_id, lease_owner, workflow_task_attempt } = task;
      return { run_id: task.run_id, envelope: { task_id, lease_owner, workflow_task_attempt } };
    }

    async function fresh(name: string) {
      await startRun(store, { workflow_type: 't', queue: name });
      return claimed(name);
    }

    it('takes forty records and a side effect through a real queue and a real thread', async () => {
      const { run_id, envelope } = await fresh('forty');
      const outcome = await producer.enqueueAndWait({
        ...envelope,
        commands: commandList('forty-records-and-a-side-effect'),
      });
      assert.deepEqual(
        [outcome.recorded, outcome.run_status, outcome.last_history_sequence, outcome.event_count],
        [true, 'waiting', '124', 122],
      );
      const events = await readEvents(store, run_id);
      assert.deepEqual(
        events.map(({ sequence }) => Number(sequence)),
        Array.from({ length: 124 }, (_, n) => n + 1),
      );
      const { activities } = await readActivities(store, run_id);
      assert.deepEqual(
        activities.map(({ attempts }) => attempts[0]?.worker_attempt_id),
        Array.from({ length: 40 }, (_, n) => `w-${n}`),
      );
    });

    it('refuses with every path, and takes the corrected completion of the same claim', async () => {
      const { envelope } = await fresh('refused');
      const bad = { ...envelope, commands: [record('a', { attempts: [] }), record('')] };
      await assert.rejects(producer.enqueueAndWait(bad), (error: unknown) => {
        const { code, status, message } = error as { code: string; status: number; message: string };
        assert.deepEqual([code, status], ['invalid_completion', 422]);
        return message.includes('commands.0.attempts') && message.includes('commands.1.activity_type');
      });
      assert.equal((await producer.enqueueAndWait({ ...envelope, commands: [signalWait] })).recorded, true);
    });

    it('stores a completion of two producers once', async () => {
      const { run_id, envelope } = await fresh('twice');
      const other = await CompletionProducer.connect(settings);
      const completion = { ...envelope, commands: [record('a'), signalWait] };
      const outcomes = await Promise.all([
        producer.enqueueAndWait(completion),
        other.enqueueAndWait({ ...completion, completion_id: 'sent-by-another' }),
      ]);
      await other.close();
      assert.deepEqual(outcomes.map(({ recorded }) => recorded).sort(), [false, true]);
      assert.equal((await readEvents(store, run_id)).length, 6);
    });

    it('fires a due timer and wakes the run by itself', async () => {
      const { run_id, envelope } = await fresh('timer');
      await producer.enqueueAndWait({ ...envelope, commands: [{ type: 'start_timer', delay_seconds: 0 }] });
      for (let looks = 0; looks < 100; looks += 1) {
        if ((await readEvents(store, run_id)).at(-1)?.type === 'TimerFired') break;
        await sleep(50);
      }
      assert.equal((await readEvents(store, run_id)).at(-1)?.type, 'TimerFired');
      await claimed('timer');
    });

    it('takes the end of an activity on the same queue, and wakes the run', async () => {
      const { run_id, envelope } = await fresh('activity');
      await producer.enqueueAndWait({ ...envelope, commands: [{ type: 'schedule_activity', activity_type: 'a' }] });
      const task = await claimTask(store, {
        queue: 'activity',
        lease_owner: 'w',
        task_type: 'activity',
        lease_seconds: 60,
      });
      assert.ok(task);
      const end = {
        task_id: task.task_id,
        lease_owner: 'w',
        activity_task_attempt: 1,
        outcome: 'completed',
        result: '"done"',
      };
      const { completionId } = await producer.enqueue(end, 'activity-completion');
      const outcome = (await producer.waitFor(completionId, 20_000)) as { recorded: boolean };
      assert.equal(outcome.recorded, true);
      assert.equal((await readEvents(store, run_id)).at(-1)?.type, 'ActivityCompleted');
      await claimed('activity');
    });

    it('is live and ready, and tells its metrics', async () => {
      assert.equal((await fetch(`${daemon.url}/livez`)).status, 200);
      assert.equal((await fetch(`${daemon.url}/readyz`)).status, 200);
      const read = async () => (await fetch(`${daemon.url}/metrics`)).text();
      let metrics = await read();
      // The queue is looked at once a second.
      for (let looks = 0; looks < 50 && !/completiond_jobs\{state="failed"\} [1-9]/.test(metrics); looks += 1) {
        await new Promise(resolve => setTimeout(resolve, 100));
        metrics = await read();
      }
      assert.match(metrics, /completiond_completions_total\{outcome="completed",code=""\} [1-9]/);
      assert.match(metrics, /completiond_completions_total\{outcome="refused",code="invalid_completion"\} 1/);
      assert.match(metrics, /completiond_jobs\{state="failed"\} [1-9]/);
    });
  });
}
