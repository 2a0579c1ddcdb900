import assert from 'node:assert/strict';
import type { Outcome } from '../../src/completion/outcome.ts';
import type { JobTask, Verdict } from '../../src/pool/protocol.ts';
import {
  discardDeadLetters,
  listDeadLetters,
  redriveDeadLetters,
  showDeadLetter,
} from '../../src/queue/dead-letters.ts';
import { openQueuePlace, type QueuePlace, queueKinds, TestQueue } from '../support/queues.ts';

const stats = { transactionMs: 1, lockMs: 1, lockWaitMs: 0, flushes: [], statements: 1, rows: 1, bytes: 1 };
const completed = (task: JobTask): Verdict => ({
  kind: 'completed',
  outcome: {
    outcome: 'completed',
    recorded: true,
    task_id: (JSON.parse(task.data) as { task_id: string }).task_id,
  } as Outcome,
  stats,
});
const refused: Verdict = { kind: 'refused', code: 'conflicting_completion', status: 409, message: 'other content' };
const completion = (more: object = {}) => ({
  task_id: 'T1',
  lease_owner: 'w',
  workflow_task_attempt: 1,
  commands: [],
  ...more,
});
const rejects = (work: Promise<unknown>, code: string) =>
  assert.rejects(work, (error: unknown) => (error as { code?: string }).code === code);

for (const kind of queueKinds) {
  describe(`the queue on ${kind}`, () => {
    let place: QueuePlace;
    let queue: TestQueue;
    before(async () => {
      place = await openQueuePlace(kind);
    });
    after(() => place.close());
    beforeEach(async () => {
      queue = await TestQueue.open(place);
    });
    afterEach(() => queue.close());

    it('hands a completion over as the text it was stored as, and returns the outcome', async () => {
      const seen = await queue.consume(async task => completed(task));
      const sent = completion({ commands: [{ type: 'x', text: 'é😀 "quoted"', n: 1.5 }] });
      const outcome = await queue.producer.enqueueAndWait(sent);
      assert.equal(outcome.task_id, 'T1');
      assert.deepEqual(JSON.parse(seen[0]?.data ?? ''), sent);
      assert.equal(seen[0]?.name, 'completion');
      assert.ok(Math.abs(Date.now() - (seen[0]?.enqueuedAtMs ?? 0)) < 20_000);
    });

    it('knows whether an id was new, also when two producers send it at once', async () => {
      const results = await Promise.all(Array.from({ length: 6 }, () => queue.producer.enqueue(completion())));
      assert.equal(results.filter(({ added }) => added).length, 1);
      assert.equal(new Set(results.map(({ completionId }) => completionId)).size, 1);
      const bulk = await queue.producer.enqueueBulk([completion(), completion({ task_id: 'T2' })]);
      assert.deepEqual(
        bulk.map(({ added }) => added),
        [false, true],
      );
      assert.equal((await queue.admin.counts()).waiting, 2);
    });

    it('puts a refusal into the failed set at once, with its reason and its data', async () => {
      const seen = await queue.consume(async () => refused);
      await rejects(queue.producer.enqueueAndWait(completion()), 'conflicting_completion');
      const [letter] = await listDeadLetters(queue.admin);
      assert.deepEqual(
        [letter?.code, letter?.message, letter?.task_id],
        ['conflicting_completion', 'other content', 'T1'],
      );
      assert.deepEqual((await showDeadLetter(queue.admin, letter?.completion_id ?? '')).data, completion());
      assert.equal(seen.length, 1);
    });

    it('puts back what cannot be applied now, uses up no attempt, and keeps the data', async () => {
      const texts: string[] = [];
      await queue.consume(async task => {
        texts.push(task.data);
        return texts.length < 4 ? { kind: 'requeue', class: 'deadlock', message: 'again' } : completed(task);
      });
      const outcome = await queue.producer.enqueueAndWait(completion({ commands: [{ type: 'x' }] }));
      assert.equal(outcome.recorded, true);
      assert.equal(new Set(texts).size, 1);
      assert.equal(texts.length, 4);
    });

    it('gives a job up only when it was put back often enough and for long enough', async () => {
      const requeue = { ...queue.settings.requeue, maxCount: 3, maxAgeMs: 1 };
      const seen = await queue.consume(async () => ({ kind: 'requeue', class: 'busy', message: 'busy' }), requeue);
      await rejects(queue.producer.enqueueAndWait(completion()), 'retries_exhausted');
      assert.equal(seen.length, 4);
    });

    it('tries a defect three times', async () => {
      const seen = await queue.consume(async () => ({ kind: 'defect', message: 'a bug' }));
      await rejects(queue.producer.enqueueAndWait(completion()), 'internal_error');
      assert.equal(seen.length, 3);
    });

    it('runs a job alone after it took its thread with it, and gives it up when it does so again', async () => {
      const seen = await queue.consume(() => Promise.reject(new Error('the thread is gone')));
      await rejects(queue.producer.enqueueAndWait(completion()), 'worker_crashed');
      assert.deepEqual(
        seen.map(({ alone }) => alone ?? false),
        [false, true],
      );
    });

    it('redrives a dead letter with its id and data, and says so when there is none', async () => {
      let fixed = false;
      await queue.consume(async task => (fixed ? completed(task) : refused));
      await rejects(queue.producer.enqueueAndWait(completion()), 'conflicting_completion');
      await rejects(redriveDeadLetters(queue.admin, { code: 'lease_expired' }, false), 'not_found');
      await rejects(redriveDeadLetters(queue.admin, { ids: ['nobody'] }, false), 'not_found');
      assert.equal((await redriveDeadLetters(queue.admin, { all: true }, true)).length, 1);
      assert.equal((await listDeadLetters(queue.admin)).length, 1);
      fixed = true;
      const [letter] = await redriveDeadLetters(queue.admin, { code: 'conflicting_completion' }, false);
      const outcome = (await queue.producer.waitFor(letter?.completion_id ?? '', 10_000)) as Outcome;
      assert.equal(outcome.task_id, 'T1');
      assert.deepEqual(await listDeadLetters(queue.admin), []);
    });

    it('discards dead letters', async () => {
      await queue.consume(async () => refused);
      await rejects(queue.producer.enqueueAndWait(completion()), 'conflicting_completion');
      assert.equal((await discardDeadLetters(queue.admin, { all: true }, false)).length, 1);
      assert.deepEqual(await listDeadLetters(queue.admin), []);
    });

    it('says how many jobs wait, and for how long', async () => {
      assert.deepEqual(await queue.admin.counts(), {
        waiting: 0,
        active: 0,
        delayed: 0,
        failed: 0,
        completed: 0,
        oldest_waiting_ms: null,
      });
      await queue.producer.enqueue(completion());
      const counts = await queue.admin.counts();
      assert.equal(counts.waiting, 1);
      assert.ok((counts.oldest_waiting_ms ?? -1) >= 0);
    });

    it('refuses what it could not hold, or would not take as an id', async () => {
      await rejects(queue.producer.enqueue(completion({ completion_id: '12345' })), 'invalid_completion');
      const huge = 'x'.repeat(queue.settings.limits.jobBytes);
      await rejects(queue.producer.enqueue(completion({ commands: [huge] })), 'payload_too_large');
      if (kind === 'redis') return;
      await rejects(queue.producer.enqueue(completion({ commands: ['a\u0000b'] })), 'unstorable_text');
    });

    it('says when there is no outcome in time, and the job stays', async () => {
      await rejects(queue.producer.enqueueAndWait(completion(), { timeoutMs: 150 }), 'wait_timed_out');
      assert.equal((await queue.admin.counts()).waiting, 1);
    });
  });
}
