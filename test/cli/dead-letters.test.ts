import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Verdict } from '../../src/pool/protocol.ts';
import { assertOneLine, type Environment, runCommand } from '../support/command-line.ts';
import { openQueuePlace, type QueuePlace, TestQueue } from '../support/queues.ts';

const refused = (code: 'task_not_found' | 'run_closed'): Verdict => ({
  kind: 'refused',
  code,
  status: 409,
  message: 'no',
});

interface Answer {
  readonly count?: number;
  readonly dry_run?: boolean;
  readonly jobs: readonly { readonly completion_id: string; readonly code: string }[];
}

describe('dead letters on the command line', () => {
  let place: QueuePlace;
  let queue: TestQueue;
  let env: Environment;
  before(async () => {
    place = await openQueuePlace('redis');
  });
  after(() => place.close());
  beforeEach(async () => {
    queue = await TestQueue.open(place);
    const { url, name, prefix } = queue.settings.queue;
    env = { COMPLETIOND_QUEUE_URL: url, COMPLETIOND_QUEUE_NAME: name, COMPLETIOND_QUEUE_PREFIX: prefix };
    await queue.consume(async ({ id }) => refused(id.startsWith('closed') ? 'run_closed' : 'task_not_found'));
    await queue.producer.enqueueBulk(['closed-1', 'lost-1', 'lost-2'].map(completion_id => ({ completion_id })));
    while ((await queue.admin.counts()).failed < 3) await sleep(10);
  });
  afterEach(() => queue.close());

  const run = (...args: string[]) => runCommand(['dead-letters', ...args], env);
  async function ids(...args: string[]): Promise<readonly string[]> {
    const { code, out, err } = await run(...args, '--json');
    assert.equal(code, 0, err);
    return (JSON.parse(out) as Answer).jobs.map(job => job.completion_id).sort();
  }

  it('are listed by code and by age, with their number', async () => {
    assert.deepEqual(await ids('list'), ['closed-1', 'lost-1', 'lost-2']);
    assert.deepEqual(await ids('list', '--all'), ['closed-1', 'lost-1', 'lost-2']);
    assert.deepEqual(await ids('list', '--code', 'task_not_found'), ['lost-1', 'lost-2']);
    assert.deepEqual(await ids('list', '--older-than', '1h'), []);
    assert.deepEqual(await ids('list', '--older-than', '0s', '--code', 'run_closed'), ['closed-1']);
    assert.match((await run('list')).out, /^completion .*\n(.*\n){3}3 dead letters\n$/);
    assert.equal((await run('list', '--older-than', '7d')).out, '0 dead letters\n');
  });

  it('are only named by a dry run', async () => {
    const { out } = await run('discard', '--code', 'run_closed', '--dry-run');
    assert.match(out, /closed-1 .*\n1 dead letter would be discarded\n$/);
    const { count, dry_run } = JSON.parse((await run('redrive', '--all', '--dry-run', '--json')).out) as Answer;
    assert.deepEqual([count, dry_run], [3, true]);
    assert.equal((await ids('list')).length, 3);
  });

  it('are discarded and redriven, and counted', async () => {
    assert.match((await run('discard', 'closed-1')).out, /\n1 dead letter discarded\n$/);
    assert.match((await run('redrive', '--all')).out, /\n2 dead letters redriven\n$/);
    while ((await queue.admin.counts()).failed < 2) await sleep(10);
    assert.deepEqual(await ids('list'), ['lost-1', 'lost-2']);
  });

  it('that nothing matches end a change with 1', async () => {
    for (const verb of ['redrive', 'discard'])
      for (const filter of [['c-none'], ['lost-1', 'c-none'], ['--code', 'lease_expired'], ['--older-than', '1h']])
        for (const more of [[], ['--dry-run'], ['--json']]) {
          const args = [verb, ...filter, ...more];
          assertOneLine(await run(...args), 1, args.join(' '));
        }
    assertOneLine(await run('show', 'c-none'), 1, 'show');
    assert.equal((await ids('list')).length, 3);
  });
});
