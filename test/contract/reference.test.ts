import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sendUpdate } from '../../src/transaction/send-update.ts';
import { Drive } from '../support/drive.ts';
import { commandLists, updatesBefore } from '../support/generators.ts';
import { normalise } from '../support/normalise.ts';
import { readAll } from '../support/reading.ts';
import { type AcceptedUpdate, ReferenceWriter } from '../support/reference-writer.ts';
import { storeKinds, TestStore } from '../support/stores.ts';

/** Generated completions a store; more with `CONTRACT_RUNS`. */
const numRuns = Number(process.env.CONTRACT_RUNS ?? 25);

const pick = (row: object, ...keys: string[]) =>
  Object.fromEntries(keys.map(key => [key, (row as Record<string, unknown>)[key]]));

function fillUpdates(commands: readonly Record<string, unknown>[], updates: readonly AcceptedUpdate[]) {
  let next = 0;
  return commands.map(command => ('update_id' in command ? { ...command, update_id: updates[next++]?.id } : command));
}

async function accepted(test: TestStore, runId: string): Promise<AcceptedUpdate[]> {
  const updates: AcceptedUpdate[] = [];
  for (let index = 0; index < updatesBefore; index += 1) {
    const { update_id, command_id } = await sendUpdate(test.store, test.settings, runId, `update-${index}`);
    updates.push({ id: update_id, commandId: command_id, name: `update-${index}` });
  }
  return updates;
}

/** Applies a command list to a fresh run, and gives what the product stored beside what the reference writer did. */
async function compare(test: TestStore, drive: Drive, list: readonly Record<string, unknown>[], codec = 'json') {
  const { run_id, workflow_id, task } = await drive.fresh({ payload_codec: codec });
  const updates = await accepted(test, run_id);
  // As the queue carries it: JSON knows no negative zero.
  const commands = JSON.parse(JSON.stringify(fillUpdates(list, updates))) as Record<string, unknown>[];
  const before = 2 + updatesBefore;
  const start = {
    runId: run_id,
    instanceId: workflow_id,
    taskId: task.task_id,
    codec,
    sequence: before,
    updates,
  };
  const reference = new ReferenceWriter(start);
  reference.write(commands);
  const outcome = await drive.complete(task, commands);
  const all = await readAll(test.store, run_id);
  const now = all.run?.last_progress_at ?? undefined;
  const known = {
    [run_id]: 'run',
    [workflow_id]: 'instance',
    [task.task_id]: 'task',
    ...Object.fromEntries(updates.map(({ id, name }) => [id, name])),
  };
  const actual = {
    events: all.events.slice(before),
    executions: all.executions.map(row =>
      pick(row, 'sequence', 'activity_type', 'status', 'attempt_count', 'arguments', 'result', 'exception'),
    ),
    attempts: all.attempts.map(row =>
      pick(row, 'worker_attempt_id', 'attempt_number', 'status', 'started_at', 'closed_at', 'last_heartbeat_at'),
    ),
    failures: all.failures,
    waits: all.waits.map(row => pick(row, 'sequence', 'kind', 'name', 'status')),
    run: [all.run?.status, all.run?.last_step_sequence, all.run?.last_history_sequence],
    summary: [all.summary?.status, all.summary?.history_event_count, all.summary?.exception_count],
    wait: [all.summary?.wait_kind, all.summary?.wait_reason],
    outcome: [outcome.run_status, outcome.event_count, Number(outcome.last_history_sequence)],
  };
  const { events, executions, attempts, failures, waits, status, step } = reference;
  const last = before + events.length;
  const open = waits.find(wait => wait.status === 'open');
  const expected = {
    events,
    executions,
    attempts,
    failures,
    waits,
    run: [status, step, last],
    summary: [status, last, failures.length],
    wait: [open?.kind ?? null, open?.name ?? null],
    outcome: [status, events.length, last],
  };
  return { actual: normalise(actual, now, known), expected: normalise(expected, undefined, known) };
}

for (const kind of storeKinds) {
  describe(`what is stored on ${kind}`, () => {
    let test: TestStore;
    let drive: Drive;
    before(async () => {
      test = await TestStore.open(kind);
      drive = new Drive(test);
    });
    after(() => test.close());

    it('equals what a plain one-at-a-time writer stores, whatever the completion', async function () {
      this.timeout(120_000);
      await fc.assert(
        fc.asyncProperty(commandLists, fc.constantFrom('json', 'avro'), async (list, codec) => {
          const { actual, expected } = await compare(test, drive, list, codec);
          assert.deepEqual(actual, expected);
        }),
        { numRuns, endOnFailure: process.env.CI !== undefined },
      );
      await drive.assertClean();
    });
  });
}

describe('the databases', () => {
  it('cannot be told apart by what they store', async function () {
    this.timeout(120_000);
    const tests = await Promise.all(storeKinds.map(kind => TestStore.open(kind)));
    try {
      for (const list of fc.sample(commandLists, { numRuns: Math.min(numRuns, 10) })) {
        const results = [];
        for (const test of tests) results.push((await compare(test, new Drive(test), list)).actual);
        for (const result of results) assert.deepEqual(result, results[0]);
      }
    } finally {
      for (const test of tests) await test.close();
    }
  });
});
