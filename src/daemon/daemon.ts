import type { Settings } from '../../config/settings.ts';
import { type BringUp, bringUp } from './bring-up.ts';
import { Health } from './health.ts';
import { HttpFront } from './http/front.ts';
import { createStartingServer } from './http/server.ts';
import { createLogger, type Logger } from './logger.ts';
import { Metrics } from './metrics.ts';
import { gaugesOf, Parts, probesOf } from './parts.ts';
import { Shutdown } from './shutdown.ts';
import { Watchdog } from './watchdog.ts';

/** How a daemon is started. */
export interface StartOptions {
  /** Bring the database's schema up to date first. */
  readonly migrate: boolean;
  readonly logger?: Logger;
  /** Told of every answer, beside the log and the metrics. */
  readonly onVerdict?: BringUp['onVerdict'];
}

/** A daemon from the moment its endpoints answer. */
export interface Daemon {
  readonly httpUrl: string;
  /** Resolves when it takes jobs: servers that are away now are waited for. Rejects when that can never be, and says why. */
  readonly started: Promise<void>;
  /** Drains and stops: not ready, no new jobs, what runs is finished or rolled back within the grace time. */
  stop(): Promise<void>;
}

/**
 * Starts in this order, and stops in exactly the reverse: HTTP, health, database check, threads, queue, then the first job.
 * @throws the network's error when the endpoints cannot be served.
 */
export async function startDaemon(settings: Settings, options: StartOptions): Promise<Daemon> {
  const { logger = createLogger(settings), migrate, onVerdict } = options;
  const shutdown = new Shutdown((step, error) =>
    logger.error({ step, error: String(error) }, 'a step of the stop failed'),
  );
  const parts = new Parts();
  const metrics = new Metrics(gaugesOf(parts));
  const health = new Health(probesOf(parts));
  const { host, port } = settings.http;
  const http = await HttpFront.listen(createStartingServer({ settings: settings.http, health, metrics }), host, port);
  shutdown.add('http', () => http.close());
  health.start();
  shutdown.add('health', () => health.stop());

  const stopping = new AbortController();
  const start = async () => {
    await bringUp({
      ...{ settings, migrate, onVerdict, logger, shutdown, signal: stopping.signal },
      ...{ http, health, metrics, parts },
    });
    await health.look();
    const watchdog = startWatchdog(settings, health, logger);
    if (watchdog) shutdown.add('watchdog', () => watchdog.stop());
    logger.info({ http: http.url, ...parts.pool?.layout, concurrency: settings.concurrency }, 'started');
  };
  const started = start();
  const stop = async () => {
    health.startDraining();
    stopping.abort();
    await started.catch(() => undefined);
    await shutdown.run();
    logger.info('stopped');
  };
  let stopped: Promise<void> | undefined;
  return { httpUrl: http.url, started, stop: () => (stopped ??= stop()) };
}

function startWatchdog({ watchdogMs }: Settings, health: Health, logger: Logger): Watchdog | undefined {
  if (watchdogMs === 0) return undefined;
  // The kernel ignores a SIGKILL that process 1 sends itself.
  if (process.pid === 1) logger.warn('process 1 cannot end itself when it is wedged: run it behind an init, like tini');
  return new Watchdog({
    limitMs: watchdogMs,
    problems: () => health.livenessProblems(),
    onWedged: problems => {
      logger.fatal({ problems }, 'wedged: the process ends, so that another can take over');
      process.exit(1);
    },
  });
}
