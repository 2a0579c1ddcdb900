import assert from 'node:assert/strict';
import { claimTask } from '../../src/transaction/claim-task.ts';
import { cancelRun } from '../../src/transaction/end-run.ts';
import { startRun } from '../../src/transaction/start-run.ts';
import { Drive, record, signalWait } from '../support/drive.ts';
import { readAll, readEvents, rowCounts } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

const expireLease = {
  name: 'test-expire-lease',
  sql: () => 'update workflow_tasks set lease_expires_at = leased_at where id = ?',
};

for (const kind of storeKinds) {
  describe(`claims and redelivery on ${kind}`, () => {
    let test: TestStore;
    let drive: Drive;
    before(async () => {
      test = await TestStore.open(kind);
      drive = new Drive(test);
    });
    after(async () => {
      await drive.assertClean();
      await test.close();
    });

    it('start a run with its first task and two events', async () => {
      const { run_id, workflow_id, task } = await drive.fresh({ arguments: '[1]' });
      const { events, run, summary } = await readAll(test.store, run_id);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['StartAccepted', 'WorkflowStarted'],
      );
      assert.deepEqual([run?.status, run?.arguments, summary?.status], ['running', '[1]', 'running']);
      assert.deepEqual([task.run_id, task.workflow_id, task.workflow_task_attempt], [run_id, workflow_id, 1]);
    });

    it('refuse an id that is in use, or return its open run', async () => {
      const request = { workflow_type: 't', queue: 'ids', workflow_id: `id-${kind}` };
      const first = await startRun(test.store, request);
      await assert.rejects(
        startRun(test.store, request),
        (error: unknown) => (error as { code?: string }).code === 'workflow_id_already_exists',
      );
      assert.deepEqual(await startRun(test.store, { ...request, if_exists: 'use' }), first);
      const racing = { workflow_type: 't', queue: 'ids', workflow_id: `race-${kind}`, if_exists: 'use' } as const;
      const runs = await Promise.all(Array.from({ length: 6 }, () => startRun(test.store, racing)));
      assert.equal(new Set(runs.map(({ run_id }) => run_id)).size, 1);
      await cancelRun(test.store, test.settings, first.run_id);
      await assert.rejects(startRun(test.store, { ...request, if_exists: 'use' }), /closed/);
    });

    it('never lease one task twice, however many ask at once', async () => {
      const queue = `crowd-${kind}`;
      for (let index = 0; index < 20; index += 1) await startRun(test.store, { workflow_type: 't', queue });
      const leased: string[] = [];
      const worker = async (owner: string) => {
        for (let misses = 0; misses < 5; ) {
          const task = await claimTask(test.store, {
            queue,
            lease_owner: owner,
            task_type: 'workflow',
            lease_seconds: 60,
          });
          if (task) leased.push(task.task_id);
          else misses += 1;
        }
      };
      await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(worker));
      assert.equal(leased.length, 20);
      assert.equal(new Set(leased).size, 20);
    });

    it('lease again what ran out, with the next attempt, and fence the first off', async () => {
      const { task, queue } = await drive.fresh();
      assert.equal(await drive.claim(queue), undefined);
      await test.store.transaction(async tx => tx.write(expireLease, [task.task_id]));
      const second = await drive.claimed(queue);
      assert.deepEqual([second.task_id, second.workflow_task_attempt], [task.task_id, 2]);
      await drive.refused(task, [signalWait], 'workflow_task_attempt_mismatch');
      await drive.complete(second, [signalWait]);
    });

    it('hold against the time a job was enqueued, not the time it waited', async () => {
      const { task } = await drive.fresh();
      // Leases have microseconds, jobs milliseconds.
      const expires = Date.parse(task.lease_expires_at) + 1;
      const late = await drive.send(task, [signalWait], {}, expires);
      assert.equal(late.kind === 'refused' && late.code, 'lease_expired');
      await test.store.transaction(async tx => tx.write(expireLease, [task.task_id]));
      const verdict = await drive.send(task, [signalWait], {}, Date.now() - 3_600_000);
      assert.equal(verdict.kind, 'completed');
    });

    it('answer the same content again with the stored outcome, whatever its id or the lease says', async () => {
      const { task, run_id } = await drive.fresh();
      const first = await drive.complete(task, [record('a'), signalWait]);
      const before = await rowCounts(test.store);
      await test.store.transaction(async tx => tx.write(expireLease, [task.task_id]));
      for (const more of [
        {},
        { completion_id: 'another-id' },
        { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
      ]) {
        const again = await drive.complete(task, [record('a'), signalWait], more);
        assert.deepEqual(again, { ...first, recorded: false, reason: 'already_completed' });
      }
      await drive.refused(task, [record('b'), signalWait], 'conflicting_completion');
      assert.deepEqual(await rowCounts(test.store), before);
      assert.equal((await readEvents(test.store, run_id)).length, 6);
    });

    it('store one completion once when it is applied many times at the same moment', async () => {
      const { task, run_id } = await drive.fresh();
      const verdicts = await Promise.all(Array.from({ length: 6 }, () => drive.send(task, [record('a'), signalWait])));
      const recorded = verdicts.filter(verdict => verdict.kind === 'completed' && verdict.outcome.recorded);
      assert.equal(recorded.length, 1);
      assert.ok(verdicts.every(({ kind: verdict }) => verdict === 'completed' || verdict === 'requeue'));
      assert.equal((await readEvents(test.store, run_id)).length, 6);
    });

    it('leave nothing of a completion whose write fails in the middle, and the claim can be used', async () => {
      const { task, run_id } = await drive.fresh();
      const clash = {
        name: 'test-clash',
        sql: () =>
          `insert into activity_executions (id, workflow_run_id, sequence, activity_type, status, attempt_count, created_at, updated_at) select 'CLASH', id, 3, 'x', 'completed', 0, created_at, created_at from workflow_runs where id = ?`,
      };
      await test.store.transaction(async tx => tx.write(clash, [run_id]));
      const before = await rowCounts(test.store);
      const verdict = await drive.send(task, [
        record('a'),
        { type: 'record_side_effect', result: 'x' },
        record('b'),
        record('c'),
        signalWait,
      ]);
      assert.equal(verdict.kind, 'defect');
      assert.deepEqual(await rowCounts(test.store), before);
      const remove = {
        name: 'test-remove',
        sql: () => `delete from activity_executions where id = 'CLASH' and workflow_run_id = ?`,
      };
      await test.store.transaction(async tx => tx.write(remove, [run_id]));
      await drive.complete(task, [record('a'), signalWait]);
    });

    it('keep names apart to the last byte', async () => {
      const { task, run_id } = await drive.fresh();
      const names = ['step-1', 'Step-1', '😀步', 'é', 'é', '😀'.repeat(255)];
      await drive.complete(
        task,
        names.map((name, index) =>
          record(name, { attempts: [{ attempt_id: `w-${index}`, attempt_number: 1, outcome: 'completed' }] }),
        ),
      );
      const { executions } = await readAll(test.store, run_id);
      assert.deepEqual(
        executions.map(({ activity_type }) => activity_type),
        names,
      );
      const trimmed = await drive.fresh();
      await drive.complete(trimmed.task, [record(' step-1 ')]);
      assert.equal((await readAll(test.store, trimmed.run_id)).executions[0]?.activity_type, 'step-1');
      const spaced = await startRun(test.store, { workflow_type: 't', queue: `step-1${kind}` });
      assert.equal(await drive.claim(`Step-1${kind}`), undefined);
      assert.equal((await drive.claimed(`step-1${kind}`)).run_id, spaced.run_id);
    });

    if (kind === 'sqlite') return;

    it('of one run do not wait for the lock of another', async () => {
      if (test.store.capabilities.singleWriter) return;
      const a = await drive.fresh();
      const b = await drive.fresh();
      const held: string[] = [];
      const lock = {
        name: 'test-lock',
        columns: { id: 'text' } as const,
        sql: () => 'select id from workflow_runs where id = ? for update',
      };
      await test.store.transaction(async tx => {
        await tx.read(lock, [a.run_id]);
        await drive.complete(b.task, [record('x'), signalWait]);
        held.push('b done');
        assert.equal(await drive.claim(a.queue), undefined);
      });
      assert.deepEqual(held, ['b done']);
      await drive.complete(a.task, [signalWait]);
    });
  });
}
