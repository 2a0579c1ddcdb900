import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainError } from '../../src/cli/cli-error.ts';
import { type Environment, runCommand, startCommand } from '../support/command-line.ts';
import { freePort } from '../support/servers/free-port.ts';
import { servers } from '../support/servers.ts';

/** Part of every secret here, plain and percent-encoded. */
const secret = /s3c|cr3t/;

/** A server's URL with another user and a wrong password. */
function withPassword(url: string, user: string): string {
  const changed = new URL(url);
  changed.username = user;
  changed.password = 's3c/cr3t';
  return changed.href;
}

/** All that a daemon says in its first seconds. */
async function logOf(
  env: Environment,
  during: (port: number) => Promise<unknown> = () => sleep(2_000),
): Promise<string> {
  const port = await freePort();
  const child = startCommand(['start', '--migrate'], {
    COMPLETIOND_HTTP_PORT: String(port),
    COMPLETIOND_LOG_LEVEL: 'trace',
    ...env,
  });
  const log: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => void log.push(String(chunk)));
  const exited = once(child, 'exit');
  await Promise.race([exited, during(port)]);
  child.kill('SIGTERM');
  await exited;
  return log.join('');
}

describe('a secret is not shown', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'completiond-secrets-'));
  });
  after(() => rmSync(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }));

  const sqlite = () => `sqlite:${directory}/t.db`;

  for (const url of [
    'postgres://me:s3c%2Fcr3t@db/x',
    'postgres://me:s3c@cr3t@db/x',
    'postgres://db/x?user=me&password=s3c%2Fcr3t',
    'postgres://me:12#cr3t@db/x',
  ])
    for (const json of [[], ['--json']])
      it(`by config ${json}, of ${url}`, async () => {
        const { code, out, err } = await runCommand(['config', ...json], {
          COMPLETIOND_DATABASE_URL: url,
          COMPLETIOND_QUEUE_URL: url,
          COMPLETIOND_HTTP_TOKEN: 's3c-token',
        });
        assert.equal(code, 0, err);
        assert.doesNotMatch(out + err, secret);
        assert.match(out, /postgres:\/\/.*\*\*\*/);
        if (json.length > 0) assert.equal((JSON.parse(out) as { http: { token: string } }).http.token, '***');
      });

  it('by bad settings', async () => {
    const configFile = join(directory, 'settings.json');
    writeFileSync(configFile, '{ "http": { "token": s3c-cr3t } }');
    const { code, out, err } = await runCommand(['config', '--config', configFile], {
      COMPLETIOND_DATABASE_URL: 'postgres://me:s3c/cr3t@db/x',
      COMPLETIOND_QUEUE_URL: 'redi://:s3c@db',
      COMPLETIOND_QUEUE_NAME: 'redis://:s3c@db',
      COMPLETIOND_HTTP_TOKEN: 's3c',
    });
    assert.equal(code, 2);
    assert.doesNotMatch(out + err, secret);
    assert.match(err, /database\.url, from COMPLETIOND_DATABASE_URL/);
  });

  it('by the line of an error, whoever made it', () => {
    for (const error of [
      new Error('cannot parse postgres://me:s3c/cr3t@db/x'),
      Object.assign(new Error('bad redis://:s3c@h'), { code: 'ERR_INVALID_URL' }),
      'mysql://h/x?password=s3c',
    ])
      assert.doesNotMatch(explainError(error).message, secret);
  });

  for (const [title, database, queue] of [
    ['a wrong password of MariaDB', async () => withPassword(await servers.mysqlUrl(), 'nobody'), undefined],
    ['a wrong user of PostgreSQL', async () => withPassword(await servers.postgresUrl(), 'nobody'), undefined],
    ['a database host that is not there', async () => 'mysql://me:s3c%2Fcr3t@no-such-host.invalid/x', undefined],
    ['a wrong password of Redis', undefined, async () => withPassword(await servers.redisUrl(), 'nobody')],
    [
      'a wrong user of a queue on PostgreSQL',
      undefined,
      async () => withPassword(await servers.postgresUrl(), 'nobody'),
    ],
    ['a queue host that is not there', undefined, async () => 'redis://:s3c%2Fcr3t@no-such-host.invalid'],
  ] as const)
    it(`by a daemon and a command with ${title}`, async () => {
      const env = {
        COMPLETIOND_DATABASE_URL: (await database?.()) ?? sqlite(),
        COMPLETIOND_QUEUE_URL: (await queue?.()) ?? 'redis://127.0.0.1:1',
        COMPLETIOND_HTTP_TOKEN: 's3c-token',
      };
      const log = await logOf(env);
      assert.notEqual(log, '');
      assert.doesNotMatch(log, secret);
      const { code, out, err } = await runCommand([queue === undefined ? 'verify' : 'status'], env);
      assert.equal(code, 1, err);
      assert.doesNotMatch(out + err, secret);
    });

  it('by a daemon whose endpoints were called with the right token and with a wrong one', async () => {
    const env = {
      COMPLETIOND_DATABASE_URL: sqlite(),
      COMPLETIOND_QUEUE_URL: await servers.redisUrl(),
      COMPLETIOND_QUEUE_PREFIX: `secrets${process.pid}`,
      COMPLETIOND_HTTP_TOKEN: 's3c-token',
    };
    const statuses: number[] = [];
    const log = await logOf(env, async port => {
      for (let tries = 0; tries < 200; tries += 1) {
        const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
        if (ready?.ok) break;
        await sleep(50);
      }
      for (const token of ['s3c-token', 'wrong-cr3t']) {
        const headers = { authorization: `Bearer ${token}` };
        statuses.push((await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).status);
      }
    });
    assert.deepEqual(statuses, [200, 401], log);
    assert.match(log, /"started"/);
    assert.doesNotMatch(log, secret);
  });
});
