import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertOneLine, runCommand } from '../support/command-line.ts';
import { freePort } from '../support/servers/free-port.ts';

const patienceMs = 8_000;

describe('a command whose server is not there', () => {
  let directory: string;
  let port: number;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'completiond-away-'));
    port = await freePort();
    writeFileSync(join(directory, 'completion.json'), '{}');
  });
  after(() => rmSync(directory, { recursive: true }));

  async function fails(args: readonly string[], database: string, queue: string): Promise<void> {
    const env = { COMPLETIOND_DATABASE_URL: database, COMPLETIOND_QUEUE_URL: queue, COMPLETIOND_HTTP_PORT: '0' };
    const ran = await runCommand(args, env);
    assertOneLine(ran, 1, args.join(' '));
    assert.match(ran.err, /ECONNREFUSED/);
    assert.doesNotMatch(ran.err, /s3cret/);
    assert.ok(ran.milliseconds < patienceMs, `${args.join(' ')} took ${ran.milliseconds} ms`);
  }

  for (const scheme of ['postgres', 'mysql'])
    for (const args of [
      ['migrate'],
      ['migrate', '--status'],
      ['runs', 'start', '--type', 't', '--queue', 'q'],
      ['runs', 'show', 'R'],
      ['runs', 'list'],
      ['runs', 'cancel', 'R'],
      ['tasks', 'claim', '--queue', 'q', '--owner', 'w'],
      ['signals', 'send', 'R', 'go'],
      ['updates', 'send', 'R', 'go'],
      ['history', 'R'],
      ['activities', 'R'],
      ['verify'],
    ])
      it(`says so in one line: ${args.join(' ')}, on ${scheme}`, () =>
        fails(args, `${scheme}://me:s3cret@127.0.0.1:${port}/x`, `redis://:s3cret@127.0.0.1:${port}`));

  for (const scheme of ['redis', 'postgres'])
    it(`says so in one line when something else listens there, with a queue on ${scheme}`, async () => {
      const other = createServer(socket => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      other.listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port: taken } = other.address() as AddressInfo;
      const url = `${scheme}://me:s3cret@127.0.0.1:${taken}/0`;
      assertOneLine(await runCommand(['status'], { COMPLETIOND_QUEUE_URL: url }), 1, scheme);
      other.close();
    });

  for (const scheme of ['redis', 'postgres'])
    for (const args of [
      ['status'],
      ['dead-letters', 'list'],
      ['dead-letters', 'show', 'c-1'],
      ['dead-letters', 'redrive', '--all'],
      ['dead-letters', 'discard', '--all', '--dry-run'],
      ['enqueue', 'FILE'],
      ['enqueue', 'FILE', '--ndjson', '--json'],
    ])
      it(`says so in one line: ${args.join(' ')}, with a queue on ${scheme}`, () => {
        const files = args.map(arg => (arg === 'FILE' ? join(directory, 'completion.json') : arg));
        return fails(files, `sqlite:${directory}/t.db`, `${scheme}://me:s3cret@127.0.0.1:${port}/0`);
      });
});
