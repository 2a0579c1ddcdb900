import Fastify, { type FastifyInstance } from 'fastify';
import type { Settings } from '../../../config/settings.ts';
import type { ReadPool } from '../../pool/read-pool.ts';
import type { QueueAdmin } from '../../queue/admin.ts';
import type { Health } from '../health.ts';
import type { Metrics } from '../metrics.ts';
import type { QueueWatch } from '../queue-watch.ts';
import type { RecentCompletions } from '../recent-completions.ts';
import type { RecentRefusals } from '../recent-refusals.ts';
import { addApi } from './api.ts';
import { addAssets } from './assets.ts';
import { addBoard } from './board.ts';
import { addDashboard } from './dashboard.ts';
import { addHealthRoutes } from './health-routes.ts';
import { answerError, answerNotFound, HttpError } from './http-error.ts';
import { addRedrive } from './redrive.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { addSignIn } from './sign-in.ts';
import { addStats } from './stats.ts';
import { addToken } from './token.ts';

/** What the endpoints ask from the first moment on. */
export interface HealthParts {
  readonly settings: Settings['http'];
  readonly health: Health;
  readonly metrics: Metrics;
}

/** What the endpoints ask when the queue is connected. */
export interface HttpParts extends HealthParts {
  readonly reads: ReadPool;
  readonly admin: QueueAdmin;
  readonly watch: QueueWatch;
  readonly completions: RecentCompletions;
  readonly refusals: RecentRefusals;
}

/** What a daemon that starts can answer: the probes and the metrics, and of everything else what it still waits for. */
export function createStartingServer(parts: HealthParts): FastifyInstance {
  const server = createHealthServer(parts);
  server.setNotFoundHandler((request, reply) => {
    const waitsFor = parts.health.readinessProblems().join('; ');
    return answerError(new HttpError(503, 'starting', `the daemon starts: ${waitsFor}`), request, reply);
  });
  return server;
}

/** The probes for the orchestrator, the metrics, and the way to a session, behind the token where there is one. */
function createHealthServer({ settings, health, metrics }: HealthParts): FastifyInstance {
  const server = Fastify({ logger: false });
  server.setErrorHandler(answerError);
  addSecurityHeaders(server);
  addToken(server, settings.token);
  addSignIn(server, settings.token);
  addAssets(server);
  addHealthRoutes(server, health, metrics);
  return server;
}

/** The whole of the daemon's HTTP side: also the API, the dashboard and the job board. */
export function createHttpServer(parts: HttpParts): FastifyInstance {
  const { health, reads, admin, watch, refusals } = parts;
  const { token } = parts.settings;
  const server = createHealthServer(parts);
  server.setNotFoundHandler(answerNotFound);
  addApi(server, reads);
  addStats(server, health, watch, parts.completions);
  addBoard(server, admin.queue, token);
  addRedrive(server, admin, refusals, token);
  addDashboard(server, { reads, watch, refusals, queueName: admin.queue.name, writable: token !== undefined });
  return server;
}
