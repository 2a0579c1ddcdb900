import type { RootHookObject } from 'mocha';
import { ensureInstalled } from './servers/install.ts';
import { removeTemporaryFolder } from './servers/temporary-folder.ts';
import { servers } from './servers.ts';

/** Installing three database packages over a slow line. */
const installTimeoutMs = 600_000;
const stopTimeoutMs = 120_000;

/** Mocha's root hooks: the servers' programs are there before the first test, and no server is left after the last. */
export const mochaHooks: RootHookObject = {
  beforeAll(this: Mocha.Context) {
    this.timeout(installTimeoutMs);
    ensureInstalled();
  },
  async afterAll(this: Mocha.Context) {
    this.timeout(stopTimeoutMs);
    try {
      await servers.stop();
    } finally {
      removeTemporaryFolder();
    }
  },
};
