import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { createConnection } from 'mysql2/promise';
import { settingsSchema } from '../../config/settings.ts';
import { openStore } from '../../src/store/open-store.ts';
import { query } from '../../src/store/statement.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { MariadbServer } from '../support/servers/mariadb.ts';
import { type Certificate, makeCertificate } from '../support/tls-relay.ts';

const cipher = query(
  'cipher',
  { value: 'text' },
  "select variable_value as value from information_schema.session_status where variable_name = 'SSL_CIPHER'",
);

describe('TLS to MariaDB', () => {
  let own: Certificate;
  let foreign: Certificate;
  let server: MariadbServer;
  let url: string;

  before(async () => {
    own = await makeCertificate();
    foreign = await makeCertificate();
    // The server runs as a user of its own.
    chmodSync(own.keyFile, 0o644);
    chmodSync(own.certFile, 0o644);
    server = new MariadbServer([`--ssl-cert=${own.certFile}`, `--ssl-key=${own.keyFile}`]);
    await server.start();
    const connection = await createConnection(server.url);
    await connection.query('create database secure');
    await connection.end();
    url = new URL('/secure', server.url).href;
  });
  after(() => server.stop());

  async function cipherWith(tls?: object): Promise<string | undefined> {
    const { database } = settingsSchema.parse({ database: { url, ...(tls && { tls }) } });
    const store = await openStore({ database, connections: 1 });
    try {
      await store.migrate();
      return (await store.read(cipher, []))[0]?.value;
    } finally {
      await store.close();
    }
  }
  const isNotTrusted = (error: unknown) => error instanceof StoreError && /SELF_SIGNED|self-signed/.test(error.message);

  it('trusts the authority of the settings, and nobody else', async () => {
    assert.ok(await cipherWith({ caFile: own.certFile }));
    await assert.rejects(cipherWith({ caFile: foreign.certFile }), isNotTrusted);
    await assert.rejects(cipherWith({}), isNotTrusted);
    assert.ok(await cipherWith({ rejectUnauthorized: false }));
    assert.equal(await cipherWith(), '');
  });
});
