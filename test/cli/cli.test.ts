import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

describe('the command line', function () {
  this.timeout(60_000);
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'completiond-cli-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }));

  function run(args: string[], env: Record<string, string> = {}) {
    const result = spawnSync(process.execPath, ['--import', 'tsx', main, ...args], {
      encoding: 'utf8',
      env: {
        ...process.env,
        COMPLETIOND_DATABASE_URL: `sqlite:${directory}/t.db`,
        COMPLETIOND_QUEUE_URL: `embedded:${directory}/queue`,
        ...env,
      },
    });
    const json = () => JSON.parse(result.stdout) as Record<string, unknown>;
    return { code: result.status, out: result.stdout, err: result.stderr, json };
  }

  it('starts, claims and shows a run, with one JSON document each', () => {
    assert.deepEqual(run(['migrate', '--json']).json(), {
      kind: 'sqlite',
      schema_version: 1,
      latest: 1,
      up_to_date: true,
    });
    const started = run(['runs', 'start', '--type', 'order', '--queue', 'q', '--id', 'o-1', '--json']).json();
    assert.deepEqual([Object.keys(started), started.workflow_id], [['workflow_id', 'run_id', 'task_id'], 'o-1']);
    const claimed = run(['tasks', 'claim', '--queue', 'q', '--owner', 'w1', '--json']).json();
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
    const shown = run(['runs', 'show', runId, '--json']).json();
    assert.deepEqual(
      [shown.status, (shown.summary as { status: string }).status, shown.waits],
      ['running', 'running', []],
    );
    const history = run(['history', runId, '--json']).json() as {
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
    assert.deepEqual(run(['history', runId, '--limit', '1', '--json']).json().next, '1');
    assert.deepEqual(run(['activities', runId, '--json']).json(), { run_id: runId, activities: [] });
    assert.deepEqual(run(['verify', '--json']).json(), { runs: 1, problems: [] });
    assert.match(run(['runs', 'list']).out, /order +running/);
  });

  it('ends with 1 and one line when there is nothing to claim, no such run, or an id in use', () => {
    run(['runs', 'start', '--type', 'order', '--queue', 'q', '--id', 'o-1']);
    for (const args of [
      ['tasks', 'claim', '--queue', 'other', '--owner', 'w1'],
      ['history', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
      ['runs', 'start', '--type', 'order', '--queue', 'q', '--id', 'o-1'],
    ]) {
      const { code, err, out } = run(args);
      assert.equal(code, 1, args.join(' '));
      assert.equal(err.trim().split('\n').length, 1, err);
      assert.equal(out, '');
    }
    const used = run([
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

  it('ends with 2 on bad usage and bad settings, without a stack trace', () => {
    for (const [args, env] of [
      [['dance'], {}],
      [['runs', 'start', '--type', 'x'], {}],
      [['tasks', 'claim', '--queue', 'q', '--owner', 'w', '--lease-seconds', 'many'], {}],
      [['config'], { COMPLETIOND_HTTP_PORT: 'x', COMPLETIOND_NONSENSE: '1' }],
      [['dead-letters', 'redrive'], {}],
    ] as const) {
      const { code, err } = run([...args], env);
      assert.equal(code, 2, `${args.join(' ')}: ${err}`);
      assert.ok(!/ at .*:\d+/.test(err), err);
    }
  });

  it('shows settings without their secrets', () => {
    const { out } = run(['config', '--json'], { COMPLETIOND_DATABASE_URL: 'postgres://u:secret@h/d' });
    assert.ok(!out.includes('secret'));
    assert.equal((JSON.parse(out) as { database: { url: string } }).database.url, 'postgres://u:***@h/d');
  });

  it('has an example in the help of every command', () => {
    for (const command of [
      'migrate',
      'config',
      'status',
      'start',
      'demo',
      'enqueue',
      'history',
      'activities',
      'verify',
    ])
      assert.match(run([command, '--help']).out, /Example:\n {2}/, command);
  });

  it('puts completions into the queue while no daemon runs, and says which were new', () => {
    const completion = { task_id: 'T', lease_owner: 'w', workflow_task_attempt: 1, commands: [{ type: 'x' }] };
    const file = join(directory, 'c.ndjson');
    writeFileSync(
      file,
      `${JSON.stringify(completion)}\n${JSON.stringify({ ...completion, task_id: 'U' })}\n${JSON.stringify(completion)}\n`,
    );
    const lines = run(['enqueue', file, '--ndjson', '--json']).out.trim().split('\n');
    assert.deepEqual(
      lines.map(line => (JSON.parse(line) as { added: boolean }).added),
      [true, true, false],
    );
    const status = run(['status', '--json']).json();
    assert.equal((status.queue as { waiting: number }).waiting, 2);
    const bad = run(['enqueue', join(directory, 'missing.json')]);
    assert.deepEqual([bad.code, bad.err.trim().split('\n').length], [2, 1]);
  });
});
