import assert from 'node:assert/strict';
import { ensureInstalled, type System } from './install.ts';

/** A system that has these programs, and where apt-get brings those. */
function systemWith(found: readonly string[], brought: readonly string[] = [], environment = {}) {
  const here = new Set(found);
  const calls: string[] = [];
  const system: System = {
    environment,
    mayInstall: false,
    find: name => (here.has(name) ? `/bin/${name}` : undefined),
    aptGet(args) {
      calls.push(args.join(' '));
      for (const name of brought) here.add(name);
    },
  };
  return { system, calls };
}

const all = ['redis-server', 'postgres', 'initdb', 'mariadbd', 'mariadb-install-db', 'chromium'];

const command = 'install -y --no-install-recommends redis-server postgresql mariadb-server chromium fonts-dejavu-core';

describe('the programs of the servers', () => {
  it('are not installed again when they are here', () => {
    const { system, calls } = systemWith(all);
    ensureInstalled({ ...system, mayInstall: true });
    assert.deepEqual(calls, []);
  });

  it('are installed by root, after the lists are brought up to date', () => {
    const { system, calls } = systemWith(['redis-server'], all);
    ensureInstalled({ ...system, mayInstall: true });
    assert.deepEqual(calls, ['update', command]);
  });

  it('are named as missing when installing did not bring them', () => {
    const { system } = systemWith(all.slice(1));
    assert.throws(() => ensureInstalled({ ...system, mayInstall: true }), /not installed: redis-server\./);
  });

  it('are not needed when a variable names another', () => {
    const environment = {
      COMPLETIOND_TEST_POSTGRES_URL: 'postgres://there/db',
      COMPLETIOND_TEST_MYSQL_URL: 'mysql://there',
      COMPLETIOND_TEST_CHROMIUM: '/opt/chrome',
    };
    ensureInstalled(systemWith(['redis-server'], [], environment).system);
    assert.throws(() => ensureInstalled(systemWith([], [], environment).system), /not installed: redis-server\./);
  });

  it('are named with both ways out when they are missing and may not be installed', () => {
    const { system, calls } = systemWith(['redis-server', 'postgres', 'initdb', 'chromium']);
    assert.throws(
      () => ensureInstalled(system),
      ({ message }: Error) =>
        message.includes('not installed: mariadbd, mariadb-install-db.') &&
        message.includes(`apt-get ${command}`) &&
        message.includes('docker compose up -d --wait') &&
        message.includes('COMPLETIOND_TEST_MYSQL_URL='),
    );
    assert.deepEqual(calls, []);
  });
});
