import assert from 'node:assert/strict';
import { startRun } from '../../src/transaction/start-run.ts';
import { servers } from '../support/servers.ts';
import { isClass, MysqlFixture } from './mysql-fixture.ts';

describe('migrations on MariaDB and MySQL', () => {
  const mysql = MysqlFixture.use();

  it('migrates once when ten start at the same time', async () => {
    const fresh = await servers.mysqlUrl();
    const stores = await Promise.all(Array.from({ length: 10 }, () => mysql.open(fresh)));
    const results = await Promise.all(stores.map(each => each.migrate()));
    for (const result of results) assert.deepEqual(result, { version: 1, latest: 1, upToDate: true });
    assert.deepEqual(await stores[0]?.problems(), []);
  });

  it('goes on with a migration that died in the middle', async () => {
    const fresh = await servers.mysqlUrl();
    const direct = await mysql.open(fresh);
    const { store: cut, wire } = await mysql.openWatched(fresh);
    for (const text of ['create table activity_attempts', 'create index workflow_signals_run']) {
      wire.cutAt(text, true);
      await assert.rejects(cut.migrate(), isClass({ class: 'requeue', requeueClass: 'connection_lost' }));
      assert.equal((await direct.schemaStatus()).version, 0);
    }
    assert.deepEqual(await direct.migrate(), { version: 1, latest: 1, upToDate: true });
    await startRun(direct, { workflow_type: 'w', queue: 'q' });
  });

  it('leaves tables alone that it did not make, and a schema newer than itself', async () => {
    const fresh = await servers.mysqlUrl();
    const foreign = await mysql.open(fresh);
    const [, database] = /\/([^/]+)$/.exec(fresh) ?? [];
    await mysql.ask(`create table ${database}.workflow_runs (id int)`);
    for (let time = 0; time < 2; time += 1)
      await assert.rejects(foreign.migrate(), isClass({ class: 'defect' }, 'schema_conflict'));
    await mysql.ask(`insert into completiond_migrations (version, name, applied_at) values (99, 'later', now())`);
    await assert.rejects(mysql.store.migrate(), isClass({ class: 'defect' }, 'schema_too_new'));
  });
});
