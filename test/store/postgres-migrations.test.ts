import assert from 'node:assert/strict';
import { servers } from '../support/servers.ts';
import { isClass } from './mysql-fixture.ts';
import { PostgresFixture } from './postgres-fixture.ts';

describe('migrations on PostgreSQL', () => {
  const postgres = PostgresFixture.use();

  it('migrates once when ten start at the same time', async () => {
    const fresh = await servers.postgresUrl();
    const stores = Array.from({ length: 10 }, () => postgres.open(fresh));
    assert.deepEqual(await stores[0]?.schemaStatus(), { version: 0, latest: 1, upToDate: false });
    const results = await Promise.all(stores.map(each => each.migrate()));
    for (const result of results) assert.deepEqual(result, { version: 1, latest: 1, upToDate: true });
    const [row] = await postgres.ask('select count(*)::int as rows from completiond_migrations', fresh);
    assert.equal(row?.rows, 1);
  });

  it('leaves nothing behind of a migration that fails, and does it whole afterwards', async () => {
    const fresh = await servers.postgresUrl();
    const store = postgres.open(fresh);
    await postgres.ask('create table workflow_memos (id int)', fresh);
    await assert.rejects(store.migrate(), isClass({ class: 'defect' }, 'schema_conflict'));
    const tables = await postgres.ask(`select tablename from pg_tables where schemaname = 'public'`, fresh);
    assert.deepEqual(tables, [{ tablename: 'workflow_memos' }]);
    await postgres.ask('drop table workflow_memos', fresh);
    assert.equal((await store.migrate()).upToDate, true);
  });

  it('refuses a schema newer than itself', async () => {
    await postgres.ask(`insert into completiond_migrations (version, name, applied_at) values (99, 'later', now())`);
    await assert.rejects(postgres.store.migrate(), isClass({ class: 'defect' }, 'schema_too_new'));
    assert.deepEqual(await postgres.store.schemaStatus(), { version: 99, latest: 1, upToDate: false });
  });
});
