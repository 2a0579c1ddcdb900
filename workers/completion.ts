import { threadId, workerData } from 'node:worker_threads';
import { Heartbeats } from '../src/pool/heartbeats.ts';
import type { ThreadData } from '../src/pool/pool.ts';
import type { PingAnswer, ThreadRequest, Verdict } from '../src/pool/protocol.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import { failureVerdict } from '../src/transaction/failures.ts';
import { handleJob } from '../src/transaction/handle-job.ts';

const { settings, connections, heartbeats } = workerData as ThreadData;
new Heartbeats(heartbeats).start(threadId);

let opened: Promise<Store> | undefined;

/** The thread's one store. A database that cannot be reached now is tried again with the next request. */
function store(): Promise<Store> {
  opened ??= openStore({ database: settings.database, connections }).catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

async function ping(): Promise<PingAnswer> {
  try {
    const { version, upToDate } = await (await store()).schemaStatus();
    return { reachable: true, schemaVersion: version, upToDate, message: null };
  } catch (error) {
    return { reachable: false, schemaVersion: null, upToDate: false, message: (error as Error).message };
  }
}

/** The piscina entry: a request → plain data. An expected failure is an answer; a throw is a bug. */
export default async function run(request: ThreadRequest): Promise<Verdict | PingAnswer> {
  if (request.kind === 'ping') return ping();
  try {
    return await handleJob(await store(), settings, request.job);
  } catch (error) {
    return failureVerdict(error);
  }
}
