import assert from 'node:assert/strict';
import type { Lane } from '../../src/history/lane.ts';
import { lanesOf } from '../../src/history/lanes.ts';
import { type HistoryEvent, readHistory } from '../../src/store/reads.ts';
import { sendSignal } from '../../src/transaction/send-signal.ts';
import { commandList, Drive, signalWait } from '../support/drive.ts';
import { TestStore } from '../support/stores.ts';

describe('the lanes of a history', () => {
  let test: TestStore;
  let drive: Drive;
  before(async () => {
    test = await TestStore.open('sqlite');
    drive = new Drive(test);
  });
  after(async () => {
    await drive.assertClean();
    await test.close();
  });

  async function history(runId: string): Promise<readonly HistoryEvent[]> {
    return (await readHistory(test.store, runId)).events;
  }

  async function lanesAfter(commands: readonly unknown[]) {
    const { run_id, task } = await drive.fresh();
    await drive.complete(task, commands);
    return { run_id, lanes: lanesOf(await history(run_id)) };
  }

  const named = (lanes: readonly Lane[], name: string) => lanes.find(lane => lane.name === name);
  const sequencesOf = ({ bars, marks }: Lane) => [
    ...bars.flatMap(({ first, last }) => (last === undefined ? [first] : [first, last])),
    ...marks.map(({ sequence }) => sequence),
  ];

  for (const name of [
    'order-fulfilment',
    'forty-records-and-a-side-effect',
    'retries-heartbeats-and-a-failure',
    'continue',
  ])
    it(`hold each event of ${name} once`, async () => {
      const { run_id, lanes } = await lanesAfter(commandList(name));
      const sequences = lanes.flatMap(sequencesOf).toSorted((a, b) => Number(a) - Number(b));
      assert.deepEqual(
        sequences,
        (await history(run_id)).map(({ sequence }) => sequence),
      );
    });

  it('show attempts as bars with their outcomes, and heartbeats as marks within them', async () => {
    const { lanes } = await lanesAfter(commandList('retries-heartbeats-and-a-failure'));
    const lane = named(lanes, 'inventory.reserve');
    assert.deepEqual(
      [lane?.kind, lane?.status, lane?.bars.map(({ outcome }) => outcome)],
      ['activity', 'completed', ['timed_out', 'failed', 'completed']],
    );
    const [first, second] = lane?.bars ?? [];
    assert.equal((first?.toMs ?? 0) + 1_000, second?.fromMs, 'the backoff lies between two attempts');
    const beats = lane?.marks.filter(({ eventType }) => eventType === 'ActivityHeartbeatRecorded') ?? [];
    assert.equal(beats.length, 3);
    assert.ok(beats.slice(0, 2).every(({ atMs }) => atMs > (first?.fromMs ?? 0) && atMs < (first?.toMs ?? 0)));
    assert.deepEqual(
      ['payment.charge', 'mail.send', 'audit.write'].map(name => named(lanes, name)?.status),
      ['failed', 'timed_out', 'cancelled'],
    );
    assert.deepEqual(
      lanes[0]?.bars.map(({ outcome }) => outcome),
      ['failed'],
    );
  });

  it('give timers, waits and children lanes of their own, and a child its run', async () => {
    const { lanes } = await lanesAfter(commandList('order-fulfilment'));
    for (const name of ['timer 86400 s', 'condition shipped', 'time-out shipped', 'child invoice', 'courier.book'])
      assert.deepEqual(
        named(lanes, name)?.bars.map(({ outcome }) => outcome) ?? [],
        name === 'courier.book' ? [] : ['open'],
        name,
      );
    assert.match(named(lanes, 'child invoice')?.runId ?? '', /^\w{26}$/);
  });

  it('end a wait with the signal that satisfies it', async () => {
    const { run_id, task, queue } = await drive.fresh();
    await drive.complete(task, [signalWait]);
    await sendSignal(test.store, test.settings, run_id, 'go');
    await drive.complete(await drive.claimed(queue), [{ type: 'complete_workflow' }]);
    const lanes = lanesOf(await history(run_id));
    const wait = named(lanes, 'signal go');
    assert.equal(wait?.marks[0]?.eventType, 'SignalReceived');
    assert.deepEqual([lanes[0]?.kind, lanes[0]?.status], ['run', 'completed']);
  });

  it('end a wait for a signal with the timer that gave it up', async () => {
    const { run_id, task } = await drive.fresh();
    await drive.complete(task, [{ ...signalWait, timeout_seconds: 5 }]);
    await drive.pass(run_id, 10);
    assert.equal(named(lanesOf(await history(run_id)), 'signal go')?.status, 'timed_out');
  });
});
