import type { Queue } from 'bullmq';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Settings } from '../../../config/settings.ts';
import type { ReadPool } from '../../pool/read-pool.ts';
import type { Health } from '../health.ts';
import type { Metrics } from '../metrics.ts';
import { addApi } from './api.ts';
import { addAssets } from './assets.ts';
import { addBoard } from './board.ts';
import { addHealthRoutes } from './health-routes.ts';
import { answerError, answerNotFound } from './http-error.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { addSignIn } from './sign-in.ts';
import { addToken } from './token.ts';

/** What the endpoints ask. */
export interface HttpParts {
  readonly settings: Settings['http'];
  readonly health: Health;
  readonly metrics: Metrics;
  readonly reads: ReadPool;
  readonly queue: Queue;
}

/** The daemon's HTTP endpoints: `/livez` and `/readyz` for the orchestrator, the rest behind the token where there is one. */
export function createHttpServer({ settings, health, metrics, reads, queue }: HttpParts): FastifyInstance {
  const server = Fastify({ logger: false });
  server.setErrorHandler(answerError);
  server.setNotFoundHandler(answerNotFound);
  addSecurityHeaders(server);
  addToken(server, settings.token);
  addSignIn(server, settings.token);
  addAssets(server);
  addHealthRoutes(server, health, metrics);
  addApi(server, reads);
  addBoard(server, queue, settings.token);
  return server;
}
