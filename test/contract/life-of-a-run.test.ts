import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRun } from '../../src/store/reads.ts';
import { cancelRun, terminateRun } from '../../src/transaction/end-run.ts';
import { fireDueTasks } from '../../src/transaction/fire-due-task.ts';
import { sendSignal } from '../../src/transaction/send-signal.ts';
import { sendUpdate } from '../../src/transaction/send-update.ts';
import { Drive, record, signalWait } from '../support/drive.ts';
import { ask, readAll, readEvents } from '../support/reading.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

const child = (index: number, more: object = {}) => ({
  type: 'start_child_workflow',
  workflow_type: `child-${index}`,
  parallel_group_id: 'group',
  parallel_group_size: 3,
  parallel_group_index: index,
  ...more,
});
const code = (expected: string) => (error: unknown) => (error as { code?: string }).code === expected;

for (const kind of storeKinds) {
  describe(`the life of a run on ${kind}`, () => {
    let test: TestStore;
    let drive: Drive;
    before(async () => {
      test = await TestStore.open(kind, {
        limits: { pendingTimers: 4, pendingActivities: 3, pendingChildren: 3, pendingSignals: 2, pendingUpdates: 2 },
      });
      drive = new Drive(test);
    });
    after(async () => {
      await drive.assertClean();
      await test.close();
    });

    const types = async (runId: string) => (await readEvents(test.store, runId)).map(({ type }) => type);
    const signal = (runId: string, name: string, more: object = {}) =>
      sendSignal(test.store, test.settings, runId, name, more);

    it('takes a signal to its open wait, cancels its time-out, and wakes once', async () => {
      const { run_id, task, queue } = await drive.fresh();
      await drive.complete(task, [{ ...signalWait, timeout_seconds: 60 }]);
      const sent = await signal(run_id, 'go', { arguments: '[1]', request_id: 'r-1' });
      assert.deepEqual(await signal(run_id, 'go', { arguments: '[1]', request_id: 'r-1' }), {
        ...sent,
        recorded: false,
      });
      await signal(run_id, 'other');
      const { events, waits, summary } = await readAll(test.store, run_id);
      assert.deepEqual(
        events.slice(3).map(({ type }) => type),
        ['TimerScheduled', 'SignalReceived', 'SignalApplied', 'TimerCancelled', 'SignalReceived'],
      );
      assert.deepEqual([events[5]?.payload.value, waits[0]?.status, summary?.open_wait_id], ['[1]', 'resolved', null]);
      await drive.complete(await drive.claimed(queue), [record('a')]);
      assert.equal(await drive.claim(queue), undefined);
    });

    it('keeps a signal for the wait that opens later, and wakes at once then', async () => {
      const { run_id, task, queue } = await drive.fresh();
      await signal(run_id, 'go', { arguments: '"early"' });
      const outcome = await drive.complete(task, [signalWait, signalWait]);
      assert.equal(outcome.created_task_ids.length, 1);
      assert.deepEqual((await types(run_id)).slice(2), [
        'SignalReceived',
        'SignalWaitOpened',
        'SignalApplied',
        'SignalWaitOpened',
      ]);
      const events = await readEvents(test.store, run_id);
      assert.equal(events[2]?.payload.signal_wait_id, events[3]?.payload.signal_wait_id);
      await drive.claimed(queue);
    });

    it('limits what may be pending, before anything is written', async () => {
      const { run_id, task } = await drive.fresh();
      const timer = { type: 'start_timer', delay_seconds: 100 };
      await drive.refused(task, [timer, timer, timer, timer, timer], 'pending_limit_exceeded');
      await drive.refused(
        task,
        Array(4).fill({ type: 'schedule_activity', activity_type: 'a' }),
        'pending_limit_exceeded',
      );
      await drive.refused(
        task,
        [0, 1, 2, 3].map(index =>
          child(index, {
            parallel_group_id: undefined,
            parallel_group_size: undefined,
            parallel_group_index: undefined,
          }),
        ),
        'pending_limit_exceeded',
      );
      await signal(run_id, 'x');
      await signal(run_id, 'x');
      await assert.rejects(signal(run_id, 'x'), code('pending_limit_exceeded'));
      await sendUpdate(test.store, test.settings, run_id, 'u');
      await sendUpdate(test.store, test.settings, run_id, 'u');
      await assert.rejects(sendUpdate(test.store, test.settings, run_id, 'u'), code('pending_limit_exceeded'));
      await drive.complete(task, [timer, timer, timer, timer]);
    });

    it('answers updates, once each, and rejects the open ones at its end', async () => {
      const { run_id, task, queue } = await drive.fresh();
      const [one, two] = [
        await sendUpdate(test.store, test.settings, run_id, 'one', { arguments: '1', request_id: 'u-1' }),
        await sendUpdate(test.store, test.settings, run_id, 'two'),
      ];
      assert.equal(
        (await sendUpdate(test.store, test.settings, run_id, 'one', { request_id: 'u-1' })).update_id,
        one.update_id,
      );
      await drive.refused(task, [{ type: 'complete_update', update_id: 'nobody' }], 'update_not_found');
      const answer = { type: 'complete_update', update_id: one.update_id, result: '"done"' };
      await drive.refused(task, [answer, answer], 'update_task_mismatch');
      await drive.complete(task, [answer]);
      const next = await drive.claimed(queue);
      await drive.refused(
        next,
        [{ type: 'fail_update', update_id: one.update_id, message: 'm' }],
        'update_task_mismatch',
      );
      await drive.complete(next, [{ type: 'complete_workflow', result: '1' }]);
      assert.deepEqual((await types(run_id)).slice(2), [
        'UpdateAccepted',
        'UpdateAccepted',
        'UpdateApplied',
        'UpdateCompleted',
        'WorkflowCompleted',
        'UpdateCompleted',
      ]);
      const statuses = await test.store.read(
        ask(
          { id: 'text', status: 'text' },
          'select id, status from workflow_updates where workflow_run_id = ? order by id',
        ),
        [run_id],
      );
      assert.deepEqual(
        statuses.map(({ status }) => status),
        ['completed', 'rejected'],
      );
      assert.equal((await readEvents(test.store, run_id)).at(-1)?.payload.update_id, two.update_id);
    });

    it('fires a timer once, however many look at once, and lets condition waits time out', async () => {
      const { run_id, task, queue } = await drive.fresh();
      await drive.complete(task, [
        { type: 'start_timer', delay_seconds: 0 },
        { type: 'open_condition_wait', condition_key: 'k', timeout_seconds: 1 },
      ]);
      await Promise.all(
        Array.from({ length: 4 }, () => fireDueTasks(test.store, test.settings).catch(() => undefined)),
      );
      await fireDueTasks(test.store, test.settings);
      assert.deepEqual((await types(run_id)).slice(2), [
        'TimerScheduled',
        'ConditionWaitOpened',
        'TimerScheduled',
        'TimerFired',
      ]);
      const woken = await drive.claimed(queue);
      await sleep(1_050);
      await fireDueTasks(test.store, test.settings);
      assert.deepEqual((await types(run_id)).slice(6), ['TimerFired', 'ConditionWaitTimedOut']);
      const outcome = await drive.complete(woken, [record('a')]);
      assert.equal(outcome.created_task_ids.length, 1, 'what happened while the task was leased wakes the run again');
      await drive.complete(await drive.claimed(queue), [{ type: 'complete_workflow' }]);
    });

    it('retries a scheduled activity by its policy, and takes its result', async () => {
      const { run_id, task, queue } = await drive.fresh();
      await drive.complete(task, [
        {
          type: 'schedule_activity',
          activity_type: 'a',
          arguments: '[]',
          queue: `${queue}-a`,
          retry_policy: { max_attempts: 3, backoff_seconds: [0, 0], non_retryable_error_types: ['Fatal'] },
        },
      ]);
      const first = await drive.claimed(`${queue}-a`, 'activity');
      assert.equal(
        (await drive.endActivity(first, { outcome: 'failed', message: 'm', exception_type: 'Net' })).kind,
        'done',
      );
      assert.equal(await drive.claim(queue), undefined);
      const second = await drive.claimed(`${queue}-a`, 'activity');
      const stale = await drive.endActivity({ ...second, workflow_task_attempt: 9 }, { outcome: 'completed' });
      assert.equal(stale.kind === 'refused' && stale.code, 'workflow_task_attempt_mismatch');
      const end = { outcome: 'completed', result: { codec: 'json', blob: '7' } };
      assert.equal((await drive.endActivity(second, end)).kind, 'done');
      const again = await drive.endActivity(second, end);
      assert.equal(again.kind === 'done' && (again.result as { recorded: boolean }).recorded, false);
      assert.deepEqual((await types(run_id)).slice(2), [
        'ActivityScheduled',
        'ActivityStarted',
        'ActivityRetryScheduled',
        'ActivityStarted',
        'ActivityCompleted',
      ]);
      const { executions, attempts, waits } = await readAll(test.store, run_id);
      assert.deepEqual(
        [executions[0]?.status, executions[0]?.result, executions[0]?.attempt_count],
        ['completed', '7', 2],
      );
      assert.deepEqual(
        attempts.map(({ status }) => status),
        ['failed', 'completed'],
      );
      assert.equal(waits[0]?.status, 'resolved');
      await drive.complete(await drive.claimed(queue), [{ type: 'complete_workflow' }]);
    });

    it('fails a scheduled activity for good when it must not be retried, or ran out of time', async () => {
      const { run_id, task, queue } = await drive.fresh();
      const policy = { max_attempts: 5, non_retryable_error_types: ['Fatal'] };
      await drive.complete(task, [
        { type: 'schedule_activity', activity_type: 'fatal', queue: `${queue}-f`, retry_policy: policy },
        { type: 'schedule_activity', activity_type: 'late', queue: `${queue}-l`, schedule_to_start_timeout: 1 },
      ]);
      await drive.endActivity(await drive.claimed(`${queue}-f`, 'activity'), {
        outcome: 'failed',
        message: 'm',
        exception_type: 'Fatal',
      });
      await sleep(1_050);
      await fireDueTasks(test.store, test.settings);
      assert.deepEqual((await types(run_id)).slice(4), ['ActivityStarted', 'ActivityFailed', 'ActivityTimedOut']);
      const { failures, summary } = await readAll(test.store, run_id);
      assert.deepEqual(
        failures.map(({ failure_category }) => failure_category),
        ['activity', 'timeout'],
      );
      assert.equal(summary?.exception_count, 2);
      await drive.complete(await drive.claimed(queue), [{ type: 'complete_workflow' }]);
    });

    it('waits for all of three parallel children, or for the first that fails', async () => {
      const parent = await drive.fresh();
      await drive.complete(
        parent.task,
        [0, 1, 2].map(index => child(index)),
      );
      const claimed = [
        await drive.claimed(parent.queue),
        await drive.claimed(parent.queue),
        await drive.claimed(parent.queue),
      ];
      const [a, b, c] = claimed as [typeof parent.task, typeof parent.task, typeof parent.task];
      assert.deepEqual(await types(a.run_id), ['WorkflowStarted']);
      await drive.complete(a, [{ type: 'complete_workflow', result: '"a"' }]);
      assert.equal(await drive.claim(parent.queue), undefined);
      await drive.complete(b, [{ type: 'fail_workflow', message: 'b broke', exception_type: 'B' }]);
      const woken = await drive.claimed(parent.queue);
      assert.equal(woken.run_id, parent.run_id);
      await drive.complete(c, [{ type: 'complete_workflow' }]);
      const events = await readEvents(test.store, parent.run_id);
      assert.deepEqual(
        events.slice(8).map(({ type }) => type),
        ['ChildRunCompleted', 'ChildRunFailed', 'ChildRunCompleted'],
      );
      assert.deepEqual(
        [events[8]?.payload.output, events[9]?.payload.message, events[9]?.payload.sequence],
        ['"a"', 'b broke', 2],
      );
      await drive.complete(woken, [{ type: 'complete_workflow' }]);
    });

    it('refuses parallel groups whose members disagree', async () => {
      const { task } = await drive.fresh();
      const message = await drive.refused(
        task,
        [child(0), child(1, { parallel_group_size: 2 }), child(1)],
        'invalid_parallel_group',
      );
      assert.ok(
        message.includes('commands.1.parallel_group_size') && message.includes('commands.2.parallel_group_index'),
        message,
      );
      await drive.refused(task, [{ ...child(0), parallel_group_size: undefined }], 'invalid_parallel_group');
    });

    it('starts a failed child again by its policy, and tells the parent only of the end', async () => {
      const parent = await drive.fresh();
      await drive.complete(parent.task, [
        { type: 'start_child_workflow', workflow_type: 'c', arguments: '"x"', retry_policy: { max_attempts: 2 } },
      ]);
      const first = await drive.claimed(parent.queue);
      await drive.complete(first, [{ type: 'fail_workflow', message: 'once' }]);
      const second = await drive.claimed(parent.queue);
      assert.deepEqual([second.workflow_id, second.run_id === first.run_id], [first.workflow_id, false]);
      assert.equal((await readRun(test.store, second.run_id)).arguments, '"x"');
      await drive.complete(second, [{ type: 'complete_workflow' }]);
      assert.deepEqual((await types(parent.run_id)).slice(2), [
        'ChildWorkflowScheduled',
        'ChildRunStarted',
        'ChildRunStarted',
        'ChildRunCompleted',
      ]);
      await drive.complete(await drive.claimed(parent.queue), [{ type: 'complete_workflow' }]);
    });

    for (const [title, end, event] of [
      ['cancelled', cancelRun, 'WorkflowCancelled'],
      ['terminated', terminateRun, 'WorkflowTerminated'],
    ] as const)
      it(`${title} from outside reaches its children by their policies, and the worker that holds its task`, async () => {
        const parent = await drive.fresh();
        const policies = ['request_cancel', 'terminate', 'abandon'];
        const start = policies.map(parent_close_policy => ({
          type: 'start_child_workflow',
          workflow_type: 'c',
          parent_close_policy,
        }));
        await drive.complete(parent.task, [...start, signalWait]);
        const children = [
          await drive.claimed(parent.queue),
          await drive.claimed(parent.queue),
          await drive.claimed(parent.queue),
        ];
        await signal(parent.run_id, 'go');
        const held = await drive.claimed(parent.queue);
        const sent = await end(test.store, test.settings, parent.run_id, { reason: 'enough', request_id: 'e' });
        assert.deepEqual(await end(test.store, test.settings, parent.run_id, { request_id: 'e' }), {
          ...sent,
          recorded: false,
        });
        await assert.rejects(end(test.store, test.settings, parent.run_id), code('run_closed'));
        await drive.refused(held, [signalWait], 'run_closed');
        await assert.rejects(signal(parent.run_id, 'go'), code('run_closed'));
        const statuses = await Promise.all(children.map(async task => (await readRun(test.store, task.run_id)).status));
        assert.deepEqual(statuses, ['cancelled', 'terminated', 'running']);
        const ends = (await types(parent.run_id)).slice(-4);
        assert.deepEqual(ends.slice(1), [event, 'ParentClosePolicyApplied', 'ParentClosePolicyApplied']);
        await drive.complete(children[2] as typeof held, [{ type: 'complete_workflow' }]);
      });

    it('passes its deadline: it fails as timed out, and its worker is told', async () => {
      const { run_id, task } = await drive.fresh({ run_timeout_seconds: 1 });
      await sleep(1_050);
      await drive.refused(task, [signalWait], 'run_timed_out');
      await fireDueTasks(test.store, test.settings);
      const { run, events } = await readAll(test.store, run_id);
      assert.deepEqual(
        [run?.status, run?.closed_reason, events.at(-1)?.type],
        ['failed', 'timed_out', 'WorkflowTimedOut'],
      );
      await drive.refused(task, [signalWait], 'run_timed_out');
    });

    it('goes on as new with memo and search attributes, also for the parent that waits', async () => {
      const parent = await drive.fresh();
      await drive.complete(parent.task, [{ type: 'start_child_workflow', workflow_type: 'c' }]);
      const first = await drive.claimed(parent.queue);
      await drive.complete(first, [
        { type: 'upsert_memo', entries: { note: 'n', gone: 1 } },
        { type: 'upsert_memo', entries: { gone: null } },
        { type: 'upsert_search_attributes', attributes: { n: 5, tags: ['a'] } },
        { type: 'continue_as_new', arguments: '"next"' },
      ]);
      const second = await drive.claimed(parent.queue);
      assert.notEqual(second.run_id, parent.run_id);
      const memo = await test.store.read(
        ask({ name: 'text', value: 'text' }, 'select name, value from workflow_memos where workflow_run_id = ?'),
        [second.run_id],
      );
      assert.deepEqual(memo, [{ name: 'note', value: '"n"' }]);
      await drive.complete(second, [
        { type: 'upsert_search_attributes', attributes: { m: true } },
        { type: 'complete_workflow', result: '"end"' },
      ]);
      const merged = (await readEvents(test.store, second.run_id)).find(
        ({ type }) => type === 'SearchAttributesUpserted',
      );
      assert.deepEqual(merged?.payload.merged, { m: true, n: 5, tags: ['a'] });
      const told = (await readEvents(test.store, parent.run_id)).at(-1);
      assert.deepEqual(
        [told?.type, told?.payload.output, told?.payload.child_run_number],
        ['ChildRunCompleted', '"end"', 2],
      );
      await drive.complete(await drive.claimed(parent.queue), [{ type: 'complete_workflow' }]);
    });

    it('limits the documents of a run', async () => {
      const { task } = await drive.fresh();
      const big = (type: string, key: string, bytes: number) => ({ type, [key]: { a: 'x'.repeat(bytes) } });
      await drive.refused(task, [big('upsert_memo', 'entries', 262_144)], 'payload_too_large');
      await drive.refused(task, [big('upsert_search_attributes', 'attributes', 40_960)], 'payload_too_large');
      await drive.complete(task, [{ type: 'complete_workflow' }]);
    });
  });
}
