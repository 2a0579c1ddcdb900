import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Outcome } from '../../src/completion/outcome.ts';
import type { Verdict } from '../../src/pool/protocol.ts';
import { verify } from '../../src/store/verify.ts';
import { type ClaimedTask, claimTask } from '../../src/transaction/claim-task.ts';
import { failureVerdict } from '../../src/transaction/failures.ts';
import { fireDueTasks } from '../../src/transaction/fire-due-task.ts';
import { handleJob } from '../../src/transaction/handle-job.ts';
import { type StartedRun, startRun } from '../../src/transaction/start-run.ts';
import { assertEventKeys } from './event-keys.ts';
import { passTime } from './passing-time.ts';
import type { TestStore } from './stores.ts';

/** A command list of the fixtures. */
export function commandList(name: string): object[] {
  return JSON.parse(readFileSync(new URL(`../fixtures/commands/${name}.json`, import.meta.url), 'utf8')) as object[];
}

/** A record of one completed attempt. */
export const record = (name: string, more: object = {}): object => ({
  type: 'record_local_activity',
  activity_type: name,
  outcome: 'completed',
  result: `r-${name}`,
  attempts: [{ attempt_id: `w-${name}`, attempt_number: 1, outcome: 'completed', duration_ms: 3 }],
  ...more,
});

export const signalWait = { type: 'open_signal_wait', signal_name: 'go' };

/** A claimed task of a run of its own. */
export interface Fresh extends StartedRun {
  readonly queue: string;
  readonly task: ClaimedTask;
}

let queues = 0;

const tries = 20;

/** What a caller does about a failure that passes: it tries again. */
export async function passing<T>(work: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left -= 1)
    try {
      return await work();
    } catch (error) {
      if (left === 0 || failureVerdict(error).kind !== 'requeue') throw error;
    }
}

/** Drives a store as workers and the queue do: through claims and jobs. */
export class Drive {
  readonly #test: Pick<TestStore, 'store' | 'settings'>;

  constructor(test: Pick<TestStore, 'store' | 'settings'>) {
    this.#test = test;
  }

  async claim(
    queue: string,
    type: 'workflow' | 'activity' = 'workflow',
    leaseSeconds = 300,
  ): Promise<ClaimedTask | undefined> {
    return claimTask(this.#test.store, { queue, lease_owner: 'w1', task_type: type, lease_seconds: leaseSeconds });
  }

  /** A claim that must find a task. */
  async claimed(queue: string, type: 'workflow' | 'activity' = 'workflow'): Promise<ClaimedTask> {
    const task = await this.claim(queue, type);
    assert.ok(task, `a ${type} task of ${queue}`);
    return task;
  }

  async fresh(more: object = {}): Promise<Fresh> {
    queues += 1;
    const queue = `queue-${queues}`;
    const run = await startRun(this.#test.store, { workflow_type: 'test', queue, ...more });
    return { ...run, queue, task: await this.claimed(queue) };
  }

  /** Applies a completion as a job, and gives the verdict that leaves the thread. */
  async send(
    task: ClaimedTask,
    commands: readonly unknown[],
    more: object = {},
    enqueuedAtMs = Date.now(),
  ): Promise<Verdict> {
    const { task_id, lease_owner, workflow_task_attempt } = task;
    return this.job('completion', { task_id, lease_owner, workflow_task_attempt, commands, ...more }, enqueuedAtMs);
  }

  async job(name: string, data: object, enqueuedAtMs = Date.now()): Promise<Verdict> {
    const job = { name, id: 'job', data: JSON.stringify(data), enqueuedAtMs };
    return handleJob(this.#test.store, this.#test.settings, job).catch(failureVerdict);
  }

  /** A completion that must be stored. */
  async complete(task: ClaimedTask, commands: readonly unknown[], more: object = {}): Promise<Outcome> {
    const verdict = await this.send(task, commands, more);
    assert.equal(verdict.kind, 'completed', JSON.stringify(verdict).slice(0, 600));
    return (verdict as Extract<Verdict, { kind: 'completed' }>).outcome;
  }

  /** A completion that must be refused with a code; its message. */
  async refused(task: ClaimedTask, commands: readonly unknown[], code: string, more: object = {}): Promise<string> {
    const verdict = await this.send(task, commands, more);
    assert.equal(verdict.kind, 'refused', JSON.stringify(verdict).slice(0, 600));
    const refusal = verdict as Extract<Verdict, { kind: 'refused' }>;
    assert.equal(refusal.code, code, refusal.message);
    return refusal.message;
  }

  /** Ends one attempt of a claimed activity. */
  async endActivity(task: ClaimedTask, end: object): Promise<Verdict> {
    const { task_id, lease_owner, workflow_task_attempt: activity_task_attempt } = task;
    return this.job('activity-completion', { task_id, lease_owner, activity_task_attempt, ...end });
  }

  /** Lets time pass for a run, and fires what is due by then. */
  async pass(runId: string, seconds: number): Promise<void> {
    await passTime(this.#test.store, runId, seconds);
    await passing(() => fireDueTasks(this.#test.store, this.#test.settings));
  }

  /** Nothing stored breaks a rule, and no event carries a key that its type has not. */
  async assertClean(): Promise<void> {
    assert.deepEqual((await verify(this.#test.store)).problems, []);
    await assertEventKeys(this.#test.store);
  }
}
