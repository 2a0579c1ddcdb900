import { once } from 'node:events';
import type { Settings } from '../../config/settings.ts';
import { ApplyPool } from '../pool/pool.ts';
import { dueTasksJob, type JobTask, type Verdict } from '../pool/protocol.ts';
import { ReadPool } from '../pool/read-pool.ts';
import { QueueAdmin } from '../queue/admin.ts';
import { connectQueue, type QueueConnection } from '../queue/connect.ts';
import { Consumer } from '../queue/consumer.ts';
import { DueScheduler } from '../queue/due-scheduler.ts';
import { isQueueAway, queueErrorOf } from '../queue/queue-error.ts';
import { checkDatabase, isDatabaseAway } from './check-database.ts';
import { connectionTrouble } from './connection-trouble.ts';
import type { Health } from './health.ts';
import type { HttpFront } from './http/front.ts';
import { createHttpServer } from './http/server.ts';
import { type Logger, logVerdict } from './logger.ts';
import type { Metrics } from './metrics.ts';
import type { Parts } from './parts.ts';
import type { Shutdown } from './shutdown.ts';
import { untilAvailable } from './until-available.ts';

/** What a daemon is brought up with. */
export interface BringUp {
  readonly settings: Settings;
  readonly migrate: boolean;
  readonly onVerdict: ((task: JobTask, verdict: Verdict) => void) | undefined;
  readonly logger: Logger;
  readonly http: HttpFront;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Takes the undoing of each step. */
  readonly shutdown: Shutdown;
  /** Filled as they come up. */
  readonly parts: Parts;
  /** Ends the waiting for a server that is away. */
  readonly signal: AbortSignal;
}

/** What every part of the queue's side is made with. */
interface QueueSide extends BringUp {
  readonly pool: ApplyPool;
  readonly connection: QueueConnection;
  readonly onError: (error: Error) => void;
}

/**
 * Database check, threads, queue, then the first job. A server that is away is waited for.
 * @throws StartError, QueueError: what a person must change first; an AbortError when the signal comes before the end.
 */
export async function bringUp(start: BringUp): Promise<void> {
  const { settings, migrate, logger, shutdown, parts, signal } = start;
  const onError = connectionTrouble(logger);
  const onWaiting = (reason: string) => logger.warn({ reason }, 'waiting for a server that is away');

  const checking = () => checkDatabase(settings.database, migrate);
  parts.database = await untilAvailable({ attempt: checking, passes: isDatabaseAway, onWaiting, signal });
  const pool = new ApplyPool(settings, parts.database.singleWriter, onError);
  parts.pool = pool;
  shutdown.add('threads', () => pool.close());

  const connecting = () =>
    connectQueue(settings.queue, 'consumer', onError).catch(error => {
      throw queueErrorOf('the queue', error);
    });
  const connection = await untilAvailable({ attempt: connecting, passes: isQueueAway, onWaiting, signal });
  shutdown.add('queue connection', () => connection.close());
  const admin = new QueueAdmin(connection, false);
  parts.admin = admin;
  shutdown.add('queue', () => admin.close());
  connection.warnings().then(warnings => {
    for (const warning of warnings) logger.warn(warning);
  }, onError);

  const reads = new ReadPool(settings, onError);
  shutdown.add('reading thread', () => reads.close());
  const { health, metrics } = start;
  const { watch, completions, refusals } = parts;
  await start.http.handOver(
    createHttpServer({ settings: settings.http, health, metrics, reads, admin, watch, completions, refusals }),
  );

  const side: QueueSide = { ...start, pool, connection, onError };
  const consumer = createConsumer(side);
  parts.consumer = consumer;
  shutdown.add('consumer', () => consumer.close(settings.shutdownGraceMs));
  const due = createDueScheduler(side);
  shutdown.add('due tasks', () => due.close());
  // A Redis that is away is connected to when it is back.
  const ready = Promise.all([consumer.ready(), due.start()]);
  await (signal.aborted || Promise.race([ready, once(signal, 'abort')]));
  signal.throwIfAborted();
}

function createConsumer(side: QueueSide): Consumer {
  const { settings, pool, connection, metrics, parts, logger, onVerdict, onError } = side;
  return new Consumer({
    connection,
    concurrency: settings.concurrency,
    jobBytes: settings.limits.jobBytes,
    requeue: settings.requeue,
    apply: task => pool.apply(task),
    onVerdict: (task, verdict, takenAtMs) => {
      metrics.observe(task, verdict, takenAtMs);
      parts.refusals.note(task, verdict);
      if (verdict.kind === 'completed') parts.completions.note(verdict.stats.lockMs);
      logVerdict(logger, task, verdict, takenAtMs);
      onVerdict?.(task, verdict);
    },
    onPutBack: failure => metrics.countPutBack(failure),
    onDeadLetter: code => metrics.countDeadLetter(code),
    onStalled: jobId => {
      metrics.countStall();
      logger.warn({ job_id: jobId }, 'taken back from a worker that gave no sign of life');
    },
    onError,
  });
}

function createDueScheduler({ settings, pool, connection, logger, onError }: QueueSide): DueScheduler {
  return new DueScheduler({
    connection,
    everyMs: settings.timers.pollMs,
    onError,
    fire: async () => {
      const task = { name: dueTasksJob, id: dueTasksJob, data: '{}', enqueuedAtMs: Date.now() };
      const verdict = await pool.apply(task);
      if (verdict.kind !== 'done') logVerdict(logger, task, verdict, Date.now());
    },
  });
}
