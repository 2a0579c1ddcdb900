import assert from 'node:assert/strict';
import { Drive, record, signalWait } from '../support/drive.ts';
import { invalidCommands } from '../support/invalid-completions.ts';
import { ask, readEvents, rowCounts } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

const attempt = (attempt_number: number, outcome = 'completed') => ({ attempt_number, outcome });

for (const kind of storeKinds) {
  describe(`a refusal on ${kind}`, () => {
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

    /** Refused without a trace, and the claim is as good as before. */
    async function refusedCleanly(commands: readonly unknown[], code: string, more: object = {}): Promise<string> {
      const { task, run_id } = await drive.fresh();
      const before = await rowCounts(test.store);
      test.clear();
      const message = await drive.refused(task, commands, code, more);
      assert.deepEqual(await rowCounts(test.store), before);
      await drive.complete(task, [record('corrected'), signalWait]);
      assert.equal((await readEvents(test.store, run_id)).length, 2 + 3 + 1);
      return message;
    }

    it('of each known kind names its paths, asks the database for nothing, and leaves the claim as it was', async () => {
      const { task, run_id } = await drive.fresh();
      const before = await rowCounts(test.store);
      test.clear();
      for (const { command, paths } of invalidCommands) {
        const message = await drive.refused(task, [record('a'), command, signalWait], 'invalid_completion');
        for (const path of paths) assert.ok(message.includes(`commands.1.${path}:`), `${path} in ${message}`);
      }
      assert.deepEqual(test.statements, []);
      assert.deepEqual(await rowCounts(test.store), before);
      await drive.complete(task, [record('corrected'), signalWait]);
      assert.equal((await readEvents(test.store, run_id)).length, 2 + 3 + 1);
    });

    it('names every path of a bad envelope', async () => {
      const verdict = await drive.job('completion', {
        lease_owner: ' ',
        workflow_task_attempt: 0,
        commands: [],
        extra: 1,
        completion_id: 'a b',
      });
      assert.equal(verdict.kind, 'refused');
      for (const path of ['task_id', 'lease_owner', 'workflow_task_attempt', 'commands', 'extra', 'completion_id'])
        assert.ok((verdict as { message: string }).message.includes(`${path}:`), path);
    });

    it('of more than 1,000 commands, or of no JSON at all', async () => {
      await refusedCleanly(
        Array.from({ length: 1_001 }, () => signalWait),
        'invalid_completion',
      );
      assert.equal((await drive.job('unheard-of', {})).kind, 'refused');
    });

    it('of text that some database would not keep names the path, and no transaction begins', async () => {
      for (const bad of ['a\u0000b', 'a\ud800b']) {
        const message = await refusedCleanly([record('a', { result: bad })], 'unstorable_text');
        assert.ok(message.includes('commands.0.result'), message);
      }
      const { task, run_id } = await drive.fresh();
      await drive.complete(task, [record('a', { result: '\ud83d\ude00' })]);
      const [row] = await test.store.read(
        ask({ result: 'text' }, 'select result from activity_executions where workflow_run_id = ?'),
        [run_id],
      );
      assert.equal(row?.result, '😀');
    });

    it('of one byte too many names path, size and limit; the last byte that fits is stored', async function () {
      this.timeout(60_000);
      const limit = test.settings.limits.payloadBytes;
      const message = await refusedCleanly([record('a', { result: 'x'.repeat(limit + 1) })], 'payload_too_large');
      assert.ok(message.includes('commands.0.result') && message.includes(String(limit)), message);
      const { task, run_id } = await drive.fresh();
      const quotes = '"'.repeat(limit);
      await drive.complete(task, [record('a', { result: quotes })]);
      assert.equal((await readEvents(test.store, run_id)).at(-1)?.payload.result, quotes);
    });

    it('of a completion over its budget comes before any transaction', async () => {
      const { task } = await drive.fresh();
      const commands = Array.from({ length: 17 }, (_, index) => record(`r${index}`, { result: 'x'.repeat(1_048_576) }));
      test.clear();
      const message = await drive.refused(task, commands, 'completion_budget_exceeded');
      assert.equal(test.statements.length, 0);
      assert.ok(/bytes, the limit is 33554432/.test(message), message);
      await drive.complete(task, [signalWait]);
    });

    it('counts events exactly: 5,000 are stored and one more is not', async function () {
      this.timeout(60_000);
      const attempts = [attempt(1, 'failed'), attempt(2)];
      const full = Array.from({ length: 1_000 }, (_, index) => record(`r${index}`, { attempts }));
      const more = record('more', { attempts: [attempt(1, 'failed'), attempt(2, 'failed'), attempt(3)] });
      const message = await refusedCleanly([...full.slice(1), more], 'completion_budget_exceeded');
      assert.match(message, /5002 events, the limit is 5000/);
      const { task } = await drive.fresh();
      const outcome = await drive.complete(task, full);
      assert.equal(outcome.event_count, 5_000);
    });

    it('of an unknown task, owner or attempt says which', async () => {
      const { task } = await drive.fresh();
      await drive.refused({ ...task, task_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, [signalWait], 'task_not_found');
      await drive.refused({ ...task, lease_owner: 'w2' }, [signalWait], 'lease_owner_mismatch');
      await drive.refused({ ...task, workflow_task_attempt: 2 }, [signalWait], 'workflow_task_attempt_mismatch');
      await drive.complete(task, [signalWait]);
      const other = await drive.fresh();
      await drive.complete(other.task, [{ type: 'schedule_activity', activity_type: 'a' }]);
      const activity = await drive.claimed(other.queue, 'activity');
      await drive.refused(activity, [signalWait], 'task_not_found');
    });
  });
}
