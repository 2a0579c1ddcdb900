import { threadId, workerData } from 'node:worker_threads';
import { Heartbeats } from '../src/pool/heartbeats.ts';
import type { ThreadData } from '../src/pool/pool.ts';
import type { Answered, JobTask, PingAnswer, ThreadRequest, Verdict } from '../src/pool/protocol.ts';
import { openOnce } from '../src/store/open-once.ts';
import { failureVerdict } from '../src/transaction/failures.ts';
import { handleJob } from '../src/transaction/handle-job.ts';

const { settings, connections, heartbeats } = workerData as ThreadData;
new Heartbeats(heartbeats).start(threadId);

const store = openOnce({ database: settings.database, connections });

async function ping(): Promise<PingAnswer> {
  try {
    const { version, upToDate } = await (await store()).schemaStatus();
    return { reachable: true, schemaVersion: version, upToDate, message: null };
  } catch (error) {
    return { reachable: false, schemaVersion: null, upToDate: false, message: (error as Error).message };
  }
}

async function verdictOf(job: JobTask): Promise<Verdict> {
  try {
    return await handleJob(await store(), settings, job);
  } catch (error) {
    return failureVerdict(error);
  }
}

/** Looked for in the text, for the log: a job that is refused may not be readable. */
const traceId = /"traceparent"\s*:\s*"[0-9a-f]{2}-([0-9a-f]{32})-/;

/** The piscina entry: a request → plain data. An expected failure is an answer; a throw is a bug. */
export default async function run(request: ThreadRequest): Promise<Answered | PingAnswer> {
  if (request.kind === 'ping') return ping();
  const verdict = await verdictOf(request.job);
  const [, trace] = traceId.exec(request.job.data) ?? [];
  return trace === undefined ? verdict : { ...verdict, traceId: trace };
}
