import assert from 'node:assert/strict';
import { StoreError } from '../../src/store/store-error.ts';
import { type Certificate, makeCertificate, TlsRelay } from '../support/tls-relay.ts';
import { backend, PostgresFixture } from './postgres-fixture.ts';

describe('TLS to PostgreSQL', () => {
  const postgres = PostgresFixture.use();
  let own: Certificate;
  let foreign: Certificate;
  let relay: TlsRelay;
  let url: string;

  before(async () => {
    own = await makeCertificate();
    foreign = await makeCertificate();
  });
  beforeEach(async () => {
    const address = new URL(postgres.url);
    relay = await TlsRelay.open(address.hostname, Number(address.port), own);
    address.port = String(relay.port);
    url = address.href;
  });
  afterEach(() => relay.close());

  const reach = (text: string, tls?: object) => postgres.open(text, tls === undefined ? {} : { tls }).read(backend, []);
  const isNotTrusted = (error: unknown) =>
    error instanceof StoreError && error.failure.class === 'defect' && /SELF_SIGNED_CERT/.test(error.code);

  it('trusts the authority of the settings, and nobody else', async () => {
    assert.equal((await reach(url, { caFile: own.certFile })).length, 1);
    assert.equal(relay.agreed, 1);
    await assert.rejects(reach(url, { caFile: foreign.certFile }), isNotTrusted);
    await assert.rejects(reach(url, {}), isNotTrusted);
    assert.equal((await reach(url, { rejectUnauthorized: false })).length, 1);
  });

  it('puts the settings over what the URL says of TLS, and follows the URL without them', async () => {
    assert.equal((await reach(`${url}?sslmode=disable`, { caFile: own.certFile })).length, 1);
    const rootFile = encodeURIComponent(own.certFile);
    assert.equal((await reach(`${url}?sslmode=verify-full&sslrootcert=${rootFile}`)).length, 1);
    await assert.rejects(reach(`${url}?sslmode=verify-full`), isNotTrusted);
    await assert.rejects(reach(url), StoreError);
  });

  it('never goes on in the clear with a server that has no TLS', async () => {
    await assert.rejects(reach(postgres.url, { caFile: own.certFile }), /does not support SSL/);
  });

  it('migrates over TLS', async () => {
    const store = postgres.open(url, { tls: { caFile: own.certFile } });
    assert.equal((await store.migrate()).upToDate, true);
    assert.equal(relay.agreed, 1);
  });
});
