import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { settingsSchema } from '../../config/settings.ts';
import { QueueAdmin } from '../../src/queue/admin.ts';
import { CompletionProducer } from '../../src/queue/producer.ts';
import { QueueError } from '../../src/queue/queue-error.ts';
import { servers } from '../support/servers.ts';
import { type Certificate, makeCertificate, TlsRelay } from '../support/tls-relay.ts';

/** TLS in front of a server that has none, from the first byte on, as `rediss:` speaks it. */
async function secure(url: string, { keyFile, certFile }: Certificate): Promise<{ url: string; server: Server }> {
  const { hostname, port } = new URL(url);
  const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, client => {
    const behind = connect(Number(port), hostname);
    client.on('error', () => behind.destroy()).pipe(behind);
    behind.on('error', () => client.destroy()).pipe(client);
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, url: `rediss://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` };
}

describe('TLS to the queue', () => {
  let own: Certificate;
  let foreign: Certificate;
  before(async () => {
    own = await makeCertificate();
    foreign = await makeCertificate();
  });

  /** Adds a job over the connection. @returns the jobs that an operator's view, over another one, sees. */
  async function waiting(url: string, tls?: object): Promise<number> {
    const prefix = `tls${process.pid}_${Math.random().toString(36).slice(2)}`;
    const settings = settingsSchema.parse({ queue: { url, prefix, ...(tls && { tls }) } });
    const producer = await CompletionProducer.connect(settings);
    await producer.enqueue({ task_id: 'T' });
    await producer.close();
    const admin = await QueueAdmin.connect(settings.queue);
    const counts = await admin.counts();
    await admin.close();
    return counts.waiting;
  }

  it('on Redis trusts the authority of the settings, and nobody else', async () => {
    const { url, server } = await secure(await servers.redisUrl(), own);
    assert.equal(await waiting(url, { caFile: own.certFile }), 1);
    assert.equal(await waiting(url, { rejectUnauthorized: false }), 1);
    await assert.rejects(waiting(url, { caFile: foreign.certFile }), QueueError);
    await assert.rejects(waiting(url), QueueError);
    server.close();
  });

  it('on PostgreSQL trusts the authority of the settings, and nobody else', async () => {
    const plain = new URL(await servers.postgresUrl());
    const relay = await TlsRelay.open(plain.hostname, Number(plain.port), own);
    plain.port = String(relay.port);
    assert.equal(await waiting(plain.href, { caFile: own.certFile }), 1);
    assert.ok(relay.agreed > 0);
    await assert.rejects(waiting(plain.href, { caFile: foreign.certFile }), QueueError);
    await assert.rejects(waiting(plain.href), QueueError);
    await relay.close();
  });
});
