import { statSync } from 'node:fs';
import type { Settings } from '../../config/settings.ts';
import { ApplyPool } from '../pool/pool.ts';
import { dueTasksJob, type JobTask, type Verdict } from '../pool/protocol.ts';
import { ReadPool } from '../pool/read-pool.ts';
import { QueueAdmin } from '../queue/admin.ts';
import { connectQueue } from '../queue/connect.ts';
import { Consumer } from '../queue/consumer.ts';
import { DueScheduler } from '../queue/due-scheduler.ts';
import { checkDatabase } from './check-database.ts';
import { Health } from './health.ts';
import { isLoopback } from './http/loopback.ts';
import { createHttpServer } from './http/server.ts';
import { createLogger, type Logger, logVerdict } from './logger.ts';
import { Metrics } from './metrics.ts';
import { QueueWatch } from './queue-watch.ts';
import { RecentCompletions } from './recent-completions.ts';
import { RecentRefusals } from './recent-refusals.ts';
import { Shutdown } from './shutdown.ts';

/** How a daemon is started. */
export interface StartOptions {
  /** Bring the database's schema up to date first. */
  readonly migrate: boolean;
  readonly logger?: Logger;
  /** Told of every answer, beside the log and the metrics. */
  readonly onVerdict?: (task: JobTask, verdict: Verdict) => void;
}

/** A running daemon. */
export interface Daemon {
  readonly httpUrl: string;
  /** Drains and stops: not ready, no new jobs, what runs is finished or rolled back within the grace time. */
  stop(): Promise<void>;
}

/**
 * Starts in this order, and stops in exactly the reverse: database check, threads, queue, health, HTTP, then the first job.
 * @throws StartError naming what keeps it from starting.
 */
export async function startDaemon(settings: Settings, options: StartOptions): Promise<Daemon> {
  const logger = options.logger ?? createLogger(settings);
  const shutdown = new Shutdown((step, error) =>
    logger.error({ step, error: String(error) }, 'a step of the stop failed'),
  );
  try {
    return await start(settings, options, logger, shutdown);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

async function start(settings: Settings, options: StartOptions, logger: Logger, shutdown: Shutdown): Promise<Daemon> {
  const onError = (error: Error) => logger.warn({ error: error.message }, 'connection trouble');
  const database = await checkDatabase(settings.database, options.migrate);

  const pool = new ApplyPool(settings, database.singleWriter);
  shutdown.add('threads', () => pool.close());

  const connection = await connectQueue(settings.queue, 'consumer', onError);
  shutdown.add('queue connection', () => connection.close());
  const admin = new QueueAdmin(connection, false);
  shutdown.add('queue', () => admin.close());
  connection.warnings().then(warnings => {
    for (const warning of warnings) logger.warn(warning);
  }, onError);

  let consumer: Consumer | undefined;
  const watch = new QueueWatch(() => admin.counts());
  const completions = new RecentCompletions();
  const refusals = new RecentRefusals();
  const metrics = new Metrics({
    poolUtilization: () => pool.utilization,
    poolWaiting: () => pool.waiting,
    queue: () =>
      admin.counts().then(
        counts => ({ ...counts, oldest_waiting_ms: counts.oldest_waiting_ms ?? 0 }),
        () => undefined,
      ),
    walBytes: () => (database.walFile ? statSync(database.walFile, { throwIfNoEntry: false })?.size : undefined),
  });
  const health = new Health({
    pingDatabase: () => pool.ping(),
    countWaiting: () => watch.look().then(({ waiting }) => waiting),
    lastVerdictAtMs: () => consumer?.lastVerdictAtMs ?? Date.now(),
    inFlight: () => consumer?.inFlight ?? 0,
  });
  await health.start();
  shutdown.add('health', () => health.stop());

  const reads = new ReadPool(settings.database);
  shutdown.add('reading thread', () => reads.close());
  const parts = { settings: settings.http, health, metrics, reads, admin, watch, completions, refusals };
  const http = createHttpServer(parts);
  const httpUrl = await http.listen({ host: settings.http.host, port: settings.http.port });
  shutdown.add('http', () => http.close());

  consumer = new Consumer({
    connection,
    concurrency: settings.concurrency,
    jobBytes: settings.limits.jobBytes,
    requeue: settings.requeue,
    apply: task => pool.apply(task),
    onVerdict: (task, verdict, takenAtMs) => {
      metrics.observe(task, verdict, takenAtMs);
      refusals.note(task, verdict);
      if (verdict.kind === 'completed') completions.note(verdict.stats.lockMs);
      logVerdict(logger, task, verdict, takenAtMs);
      options.onVerdict?.(task, verdict);
    },
    onStalled: jobId => {
      metrics.countStall();
      logger.warn({ job_id: jobId }, 'taken back from a worker that gave no sign of life');
    },
    onError,
  });
  const running = consumer;
  shutdown.add('consumer', () => running.close(settings.shutdownGraceMs));

  const due = new DueScheduler({
    connection,
    everyMs: settings.timers.pollMs,
    onError,
    fire: async () => {
      const task = { name: dueTasksJob, id: dueTasksJob, data: '{}', enqueuedAtMs: Date.now() };
      const verdict = await pool.apply(task);
      if (verdict.kind !== 'done') logVerdict(logger, task, verdict, Date.now());
    },
  });
  shutdown.add('due tasks', () => due.close());
  // A queue that is away now is waited for: the daemon is up, and not ready.
  Promise.all([running.ready(), due.start()]).then(() => {
    const { host } = settings.http;
    logger.info(
      { http: httpUrl, ...pool.layout, concurrency: settings.concurrency, loopback: isLoopback(host) },
      'started',
    );
  }, onError);
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    health.startDraining();
    await shutdown.run();
    logger.info('stopped');
  };
  return { httpUrl, stop: () => (stopping ??= stop()) };
}
