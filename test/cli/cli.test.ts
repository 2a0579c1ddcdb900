import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, runCommand } from '../support/command-line.ts';

describe('the command line', function () {
  this.timeout(60_000);
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'completiond-cli-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }));

  async function run(args: string[], more: Environment = {}) {
    const env = {
      COMPLETIOND_DATABASE_URL: `sqlite:${directory}/t.db`,
      COMPLETIOND_QUEUE_URL: `embedded:${directory}/queue`,
    };
    return runCommand(args, { ...env, ...more });
  }
  async function json(args: string[]): Promise<Record<string, unknown>> {
    return JSON.parse((await run([...args, '--json'])).out) as Record<string, unknown>;
  }

  it('starts, claims and shows a run, with one JSON document each', async () => {
    assert.deepEqual(await json(['migrate']), {
      kind: 'sqlite',
      schema_version: 1,
      latest: 1,
      up_to_date: true,
    });
    const started = await json(['runs', 'start', '--type', 'order', '--queue', 'q', '--id', 'o-1']);
    assert.deepEqual([Object.keys(started), started.workflow_id], [['workflow_id', 'run_id', 'task_id'], 'o-1']);
    const claimed = await json(['tasks', 'claim', '--queue', 'q', '--owner', 'w1']);
    assert.deepEqual(Object.keys(claimed), [
      ...[
        'task_id',
        'run_id',
        'workflow_id',
        'workflow_type',
        'lease_owner',
        'workflow_task_attempt',
        'lease_expires_at',
      ],
      'history_events',
    ]);
    const runId = String(started.run_id);
    const shown = await json(['runs', 'show', runId]);
    assert.deepEqual(
      [shown.status, (shown.summary as { status: string }).status, shown.waits],
      ['running', 'running', []],
    );
    const history = (await json(['history', runId])) as {
      events: { sequence: string; event_type: string }[];
      next: unknown;
    };
    assert.deepEqual(
      history.events.map(({ sequence, event_type }) => [sequence, event_type]),
      [
        ['1', 'StartAccepted'],
        ['2', 'WorkflowStarted'],
      ],
    );
    assert.deepEqual((await json(['history', runId, '--limit', '1'])).next, '1');
    assert.deepEqual(await json(['activities', runId]), { run_id: runId, activities: [] });
    assert.deepEqual(await json(['verify']), { runs: 1, problems: [] });
    assert.match((await run(['runs', 'list'])).out, /order +running/);
  });

  it('ends with 1 and one line when there is nothing to claim, no such run, or an id in use', async () => {
    await run(['runs', 'start', '--type', 'order', '--queue', 'q', '--id', 'o-1']);
    for (const args of [
      ['tasks', 'claim', '--queue', 'other', '--owner', 'w1'],
      ['history', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
      ['runs', 'start', '--type', 'order', '--queue', 'q', '--id', 'o-1'],
    ]) {
      const { code, err, out } = await run(args);
      assert.equal(code, 1, args.join(' '));
      assert.equal(err.trim().split('\n').length, 1, err);
      assert.equal(out, '');
    }
    const used = await run([
      'runs',
      'start',
      '--type',
      'order',
      '--queue',
      'q',
      '--id',
      'o-1',
      '--if-exists',
      'use',
      '--json',
    ]);
    assert.equal(used.code, 0);
  });

  it('ends with 2 on bad settings, and lists them all', async () => {
    const { code, err } = await run(['config'], { COMPLETIOND_HTTP_PORT: 'x', COMPLETIOND_NONSENSE: '1' });
    assert.equal(code, 2);
    assert.match(err, /^completiond: invalid settings:\n( {2}- .*\n){2}$/);
  });

  it('puts completions into the queue while no daemon runs, and says which were new', async () => {
    const completion = { task_id: 'T', lease_owner: 'w', workflow_task_attempt: 1, commands: [{ type: 'x' }] };
    const file = join(directory, 'c.ndjson');
    writeFileSync(
      file,
      `${JSON.stringify(completion)}\n${JSON.stringify({ ...completion, task_id: 'U' })}\n${JSON.stringify(completion)}\n`,
    );
    const lines = (await run(['enqueue', file, '--ndjson', '--json'])).out.trim().split('\n');
    assert.deepEqual(
      lines.map(line => (JSON.parse(line) as { added: boolean }).added),
      [true, true, false],
    );
    const status = await json(['status']);
    assert.equal((status.queue as { waiting: number }).waiting, 2);
    const bad = await run(['enqueue', join(directory, 'missing.json')]);
    assert.deepEqual([bad.code, bad.err.trim().split('\n').length], [2, 1]);
  });
});
