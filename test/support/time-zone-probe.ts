import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Instant } from '../../src/store/instant.ts';
import { openStore } from '../../src/store/open-store.ts';
import { readRun } from '../../src/store/reads.ts';
import { startRun } from '../../src/transaction/start-run.ts';

// Run under another TZ: a time that was written comes back as the same moment.
const directory = mkdtempSync(join(tmpdir(), 'completiond-tz-'));
const database = {
  url: `sqlite:${directory}/t.db`,
  statementTimeoutMs: 5_000,
  lockTimeoutMs: 1_000,
  namedStatements: true,
};
const store = await openStore({ database, connections: 1 });
await store.migrate();
const begin = Instant.now();
const { run_id } = await startRun(store, { workflow_type: 't', queue: 'q' });
const started = Instant.parse(String((await readRun(store, run_id)).started_at));
await store.close();
rmSync(directory, { recursive: true });
console.log(
  started.micros >= begin.micros && started.micros <= Instant.now().micros ? 'equal' : `${started} is not now`,
);
