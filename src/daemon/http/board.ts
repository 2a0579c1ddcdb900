import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { Queue } from 'bullmq';
import type { FastifyInstance } from 'fastify';
import { isReading, requireWritable } from './token.ts';

const path = '/queues';
/** The board's page asks another host for fonts and has a style of its own inside: the policy forbids both. */
const foreignOrInline = /<link href="https?:[^>]*>|<style>[\s\S]*?<\/style>| style="[^"]*"/g;

/** Bull Board over the queue: the jobs with their data. Without a token it only shows. */
export function addBoard(server: FastifyInstance, queue: Queue, token: string | undefined): void {
  const readOnlyMode = token === undefined;
  const serverAdapter = new FastifyAdapter().setBasePath(path);
  createBullBoard({
    queues: [new BullMQAdapter(queue, { readOnlyMode, allowRetries: !readOnlyMode })],
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: 'completiond',
        miscLinks: [{ text: 'Dashboard', url: '/' }],
        hideDocsLink: true,
        // Its icon has a style inside, which the policy forbids.
        hideRedisDetails: true,
        // Asks Redis for all its clients, each time that a page looks.
        showWorkers: false,
      },
    },
  });
  server.register(
    (scope, options, done) => {
      scope.addHook('onRequest', async ({ method }) => {
        if (!isReading(method)) requireWritable(token);
      });
      scope.addHook('onSend', async (_request, reply, payload) => {
        const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
        return isPage ? String(payload).replaceAll(foreignOrInline, '') : payload;
      });
      serverAdapter.registerPlugin()(scope, options, done);
    },
    { prefix: path },
  );
}
