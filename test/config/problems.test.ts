import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../config/config-error.ts';
import { loadSettings } from '../../config/load.ts';

describe('a mistake in the settings', () => {
  let directory: string;
  let configFile: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'completiond-problems-'));
    configFile = join(directory, 'settings.json');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function problems(env: Record<string, string>, content?: string): readonly string[] {
    if (content !== undefined) writeFileSync(configFile, content);
    try {
      loadSettings({ env, configFile: content === undefined ? undefined : configFile });
    } catch (error) {
      assert.ok(error instanceof ConfigError, String(error));
      for (const problem of error.problems) assert.ok(error.message.includes(`\n  - ${problem}`));
      return error.problems;
    }
    throw new Error('these settings were taken');
  }

  it('names the setting, the place of its value, what is wanted and what is there', () => {
    const file = JSON.stringify({ threads: 0, concurrency: 'all', flush: { rows: 1.5 } });
    assert.deepEqual(problems({ COMPLETIOND_HTTP_PORT: 'http', COMPLETIOND_CONCURRENCY: '9999' }, file), [
      'http.port, from COMPLETIOND_HTTP_PORT: expected number, got "http"',
      `threads, from ${configFile}: expected number to be >=1, got 0`,
      'concurrency, from COMPLETIOND_CONCURRENCY: expected number to be <=1024, got 9999',
      `flush.rows, from ${configFile}: expected int, got 1.5`,
    ]);
  });

  it('comes with the near miss of an unknown key', () => {
    const file = JSON.stringify({ thread: 3, limits: { payloadbyte: 1 }, port: 80, zebra: 1 });
    assert.deepEqual(
      problems({ COMPLETIOND_THREDS: '4', COMPLETIOND_LOGLEVEL: 'warn', COMPLETIOND_ZEBRA: '1' }, file),
      [
        'COMPLETIOND_THREDS, from the environment: no setting has this name; did you mean COMPLETIOND_THREADS?',
        'COMPLETIOND_LOGLEVEL, from the environment: no setting has this name; did you mean COMPLETIOND_LOG_LEVEL?',
        'COMPLETIOND_ZEBRA, from the environment: no setting has this name',
        `limits.payloadbyte, from ${configFile}: no setting has this name; did you mean limits.payloadBytes?`,
        `thread, from ${configFile}: no setting has this name; did you mean threads?`,
        `port, from ${configFile}: no setting has this name; did you mean http.port?`,
        `zebra, from ${configFile}: no setting has this name`,
      ],
    );
  });

  it('comes with the near miss of a word or a scheme', () => {
    const [url, level] = problems({ COMPLETIOND_LOG_LEVEL: 'warning', COMPLETIOND_QUEUE_URL: 'postgers://db' });
    assert.match(url ?? '', /^queue\.url, from COMPLETIOND_QUEUE_URL: .*; did you mean postgres:\?$/);
    assert.match(level ?? '', /^logLevel, from COMPLETIOND_LOG_LEVEL: .*got "warning"; did you mean warn\?$/);
  });

  it('is a host that needs a token, together with all others', () => {
    assert.deepEqual(problems({ COMPLETIOND_HTTP_HOST: '127.example.org', COMPLETIOND_THREADS: 'x' }), [
      'http.host, from COMPLETIOND_HTTP_HOST: needs http.token (COMPLETIOND_HTTP_TOKEN), since it is no loopback address, got "127.example.org"',
      'threads, from COMPLETIOND_THREADS: expected number, got "x"',
    ]);
  });

  it('is a file that is missing, is no JSON, or holds no object', () => {
    assert.throws(
      () => loadSettings({ env: {}, configFile }),
      new RegExp(`${configFile}: cannot be read \\(ENOENT\\)`),
    );
    assert.deepEqual(problems({}, '{\n "threads": 2,\n}'), [`${configFile}: not JSON, line 3`]);
    assert.deepEqual(problems({}, '[]'), [`${configFile}: expected a JSON object`]);
  });

  it('never quotes a secret', () => {
    for (const [env, file] of [
      [{ COMPLETIOND_DATABASE_URL: 'postgers://me:s3cret@db/x' }],
      [{ COMPLETIOND_DATABASE_URL: 'me:s3cret@db/x' }],
      [{ COMPLETIOND_DATABASE_URL: 's3cret' }],
      [{ COMPLETIOND_DATABASE_URL: 'mysql://me:s3/cret@db/x' }],
      [{ COMPLETIOND_DATABASE_URL: 'mysql://me:s3cret%zz@db/x' }],
      [{ COMPLETIOND_QUEUE_URL: 'redis:me:s3cret@cache' }],
      [{ COMPLETIOND_QUEUE_NAME: 'redis://:s3cret@cache' }],
      [{ COMPLETIOND_QUEUE_PREFIX: 'me:s3cret@cache' }],
      [{ COMPLETIOND_HTTP_TOKEN: 's3cret' }],
      [{ COMPLETIOND_TOKN: 's3cret' }],
      [{}, '{ "http": { "token": s3cret } }'],
      [{}, '{ "http": { "tokn": "s3cret" } }'],
      [{}, '{ "http": "s3cret" }'],
      [{}, '{ "database": "postgres://me:s3cret@db/x" }'],
      [{}, '{ "database": { "url": ["postgres://me:s3cret@db/x"] } }'],
      [{}, '{ "threads": { "token": "s3cret" } }'],
      [{}, 's3cret'],
    ] as const)
      assert.doesNotMatch(problems(env, file).join('\n'), /s3/, JSON.stringify([env, file]));
  });
});
