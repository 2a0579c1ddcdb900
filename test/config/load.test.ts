import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../config/config-error.ts';
import { loadSettings } from '../../config/load.ts';
import { maskSettings } from '../../config/mask.ts';
import { environmentName, settingLeaves } from '../../config/setting-leaves.ts';

describe('settings', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'completiond-config-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const file = (content: object): string => {
    const path = join(directory, 'settings.json');
    writeFileSync(path, JSON.stringify(content));
    return path;
  };

  it('are the defaults when nothing is set', () => {
    const settings = loadSettings({ env: {} });
    assert.equal(settings.database.url, 'sqlite:./data/completiond.db');
    assert.equal(settings.queue.url, 'embedded:./data/queue');
    assert.equal(settings.http.port, 8630);
    assert.equal(settings.limits.payloadBytes, 2 * 1024 * 1024);
    assert.equal(settings.shutdownGraceMs, 10_000);
  });

  it('come from the file, and the environment wins over it', () => {
    const configFile = file({ threads: 3, queue: { name: 'from-file', prefix: 'p' } });
    const settings = loadSettings({ configFile, env: { COMPLETIOND_QUEUE_NAME: 'from-env' } });
    assert.equal(settings.threads, 3);
    assert.deepEqual([settings.queue.name, settings.queue.prefix], ['from-env', 'p']);
  });

  it('have an environment name each, and every one is taken', () => {
    const names = settingLeaves().map(({ path }) => environmentName(path));
    assert.equal(new Set(names).size, names.length);
    for (const name of ['COMPLETIOND_HTTP_TOKEN', 'COMPLETIOND_SHUTDOWN_GRACE_MS', 'COMPLETIOND_LIMITS_PAYLOAD_BYTES'])
      assert.ok(names.includes(name), name);
    const settings = loadSettings({
      env: { COMPLETIOND_DATABASE_NAMED_STATEMENTS: 'false', COMPLETIOND_LIMITS_PENDING_TIMERS: '7' },
    });
    assert.deepEqual([settings.database.namedStatements, settings.limits.pendingTimers], [false, 7]);
  });

  it('that are wrong are named all at once', () => {
    const configFile = file({ thread: 3, limits: { payloadBytes: 'many' } });
    const env = { COMPLETIOND_DATABASE_URL: 'oracle://x', COMPLETIOND_THREDS: '4', COMPLETIOND_HTTP_PORT: '99999' };
    assert.throws(
      () => loadSettings({ configFile, env }),
      (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        for (const name of ['thread', 'limits.payloadBytes', 'database.url', 'COMPLETIOND_THREDS', 'http.port'])
          assert.ok(
            error.problems.some(problem => problem.startsWith(name)),
            `${name} in ${error.message}`,
          );
        return true;
      },
    );
  });

  it('need a token when the host can be reached from elsewhere', () => {
    assert.throws(() => loadSettings({ env: { COMPLETIOND_HTTP_HOST: '0.0.0.0' } }), /http\.token/);
    loadSettings({ env: { COMPLETIOND_HTTP_HOST: '0.0.0.0', COMPLETIOND_HTTP_TOKEN: 'a-long-secret' } });
    loadSettings({ env: { COMPLETIOND_HTTP_HOST: '127.0.0.5' } });
  });

  it('are frozen, and shown without their secrets', () => {
    const settings = loadSettings({
      env: { COMPLETIOND_DATABASE_URL: 'postgres://me:secret@db/x', COMPLETIOND_HTTP_TOKEN: 'another-secret' },
    });
    assert.throws(() => Object.assign(settings.database, { url: 'x' }), TypeError);
    const shown = JSON.stringify(maskSettings(settings));
    assert.ok(!shown.includes('secret'), shown);
    assert.ok(shown.includes('postgres://me:***@db/x'));
  });
});
