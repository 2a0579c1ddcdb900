import assert from 'node:assert/strict';
import { Drive, record, signalWait } from '../support/drive.ts';
import { ask, readEvents, rowCounts } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

const setSequence = {
  name: 'test-set-sequence',
  sql: () => 'update workflow_runs set last_history_sequence = ? where id = ?',
};
const attempt = (attempt_number: number, outcome = 'completed') => ({ attempt_number, outcome });

/** Command lists that can never be stored, with what the message must name. */
const invalid: readonly [string, readonly unknown[], readonly string[]][] = [
  ['an unknown command', [{ type: 'dance' }], ['commands.0.type']],
  ['an unknown field', [{ ...signalWait, colour: 'red' }], ['commands.0.colour']],
  ['no attempts', [record('a', { attempts: [] })], ['commands.0.attempts']],
  [
    'attempts 1, 1',
    [record('a', { attempts: [attempt(1, 'failed'), attempt(1)] })],
    ['commands.0.attempts.1.attempt_number'],
  ],
  [
    'attempts 2, 1',
    [record('a', { attempts: [attempt(2, 'failed'), attempt(1)] })],
    ['commands.0.attempts.0.attempt_number'],
  ],
  [
    'attempts 1, 3',
    [record('a', { attempts: [attempt(1, 'failed'), attempt(3)] })],
    ['commands.0.attempts.1.attempt_number'],
  ],
  [
    'a last attempt with another outcome',
    [record('a', { attempts: [attempt(1, 'failed')] })],
    ['commands.0.attempts.0.outcome'],
  ],
  [
    'an early attempt that completed',
    [record('a', { attempts: [attempt(1), attempt(2)] })],
    ['commands.0.attempts.0.outcome'],
  ],
  [
    'a result of a failure',
    [record('a', { outcome: 'failed', message: 'm', attempts: [attempt(1, 'failed')] })],
    ['commands.0.result'],
  ],
  [
    'no message of a failure',
    [record('a', { outcome: 'failed', result: null, attempts: [attempt(1, 'failed')] })],
    ['commands.0.message'],
  ],
  [
    'no kind of a time-out',
    [record('a', { outcome: 'timed_out', result: null, message: 'm', attempts: [attempt(1, 'timed_out')] })],
    ['commands.0.timeout_kind'],
  ],
  ['a blank name', [record(' ')], ['commands.0.activity_type']],
  ['a name of 256 characters', [record('x'.repeat(256))], ['commands.0.activity_type']],
  ['a number for a text', [record('a', { exception_type: 5 })], ['commands.0.exception_type']],
  ['a queue of a local activity', [record('a', { queue: 'q' })], ['commands.0.queue']],
  [
    'too many backoffs and a duplicate type',
    [
      record('a', {
        retry_policy: { max_attempts: 2, backoff_seconds: [1, 2], non_retryable_error_types: ['X', 'X'] },
      }),
    ],
    ['commands.0.retry_policy.backoff_seconds', 'commands.0.retry_policy.non_retryable_error_types.1'],
  ],
  [
    'heartbeats that go back',
    [record('a', { attempts: [{ ...attempt(1), heartbeats: [{ elapsed_ms: 5 }, { elapsed_ms: 4 }] }] })],
    ['commands.0.attempts.0.heartbeats.1.elapsed_ms'],
  ],
  ['a non-boolean flag', [record('a', { non_retryable: 1 })], ['commands.0.non_retryable']],
  [
    'two terminal commands',
    [{ type: 'complete_workflow' }, { type: 'fail_workflow', message: 'm' }],
    ['commands.1.type'],
  ],
  [
    'a bad fingerprint',
    [{ type: 'open_condition_wait', condition_definition_fingerprint: 'md5:1' }],
    ['commands.0.condition_definition_fingerprint'],
  ],
  ['a negative delay', [{ type: 'start_timer', delay_seconds: -1 }], ['commands.0.delay_seconds']],
  ['no attributes', [{ type: 'upsert_search_attributes', attributes: {} }], ['commands.0.attributes']],
  [
    'an attribute of another type',
    [{ type: 'upsert_search_attributes', attributes: { n: 'x' }, attribute_types: { n: 'int', m: 'bool' } }],
    ['commands.0.attributes.n', 'commands.0.attribute_types.m'],
  ],
  [
    'many mistakes at once',
    [
      record('', { attempts: [attempt(3)] }),
      signalWait,
      { type: 'record_version_marker', change_id: 'c', version: 1.5, min_supported: 1, max_supported: 1 },
    ],
    ['commands.0.activity_type', 'commands.0.attempts.0.attempt_number', 'commands.2.version'],
  ],
];

for (const kind of storeKinds) {
  describe(`a refusal on ${kind}`, () => {
    let test: TestStore;
    let drive: Drive;
    before(async () => {
      test = await TestStore.open(kind);
      drive = new Drive(test);
    });
    after(() => test.close());

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

    for (const [title, commands, paths] of invalid)
      it(`names every path of ${title}`, async () => {
        const message = await refusedCleanly(commands, 'invalid_completion');
        for (const path of paths) assert.ok(message.includes(`${path}:`), `${path} in ${message}`);
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
      const full = Array.from({ length: 833 }, (_, index) =>
        record(`r${index}`, { attempts: [attempt(1, 'failed'), ...[attempt(2)]] }),
      );
      const events = 833 * 5;
      const rest = Array.from({ length: 5_000 - events - 833 > 0 ? 167 : 0 }, (_, index) =>
        record(`s${index}`, { attempts }),
      );
      assert.equal(events + rest.length * 5, 5_000);
      await refusedCleanly(
        [
          ...full.slice(0, -1),
          ...rest,
          record('more', { attempts: [attempt(1, 'failed'), attempt(2, 'failed'), attempt(3)] }),
        ],
        'completion_budget_exceeded',
      );
      const { task } = await drive.fresh();
      const outcome = await drive.complete(task, [...full, ...rest]);
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

    it('comes from the sequence when it cannot take them all, and keeps nothing', async () => {
      const fits = await drive.fresh();
      await test.store.transaction(async tx => tx.write(setSequence, [9_007_199_254_740_990n, fits.run_id]));
      const outcome = await drive.complete(fits.task, [record('a'), record('b')]);
      assert.equal(outcome.first_history_sequence, '9007199254740991');
      assert.equal(outcome.last_history_sequence, '9007199254740996');
      const sequences = (await readEvents(test.store, fits.run_id)).map(({ sequence }) => String(sequence)).slice(2);
      assert.deepEqual(
        sequences,
        ['1', '2', '3', '4', '5', '6'].map(digit => `900719925474099${digit}`),
      );

      for (const room of [2n, 1n, 0n]) {
        const { run_id, task } = await drive.fresh();
        await test.store.transaction(async tx => tx.write(setSequence, [2n ** 63n - 1n - room, run_id]));
        const before = await rowCounts(test.store);
        await drive.refused(task, [record('a'), record('b')], 'history_sequence_exhausted');
        assert.deepEqual(await rowCounts(test.store), before);
        if (room > 0n) {
          const last = await drive.complete(task, [{ type: 'record_side_effect', result: 'x' }]);
          assert.equal(last.last_history_sequence, String(2n ** 63n - room));
        }
      }
    });
  });
}
