import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import { settingsSchema } from '../../config/settings.ts';
import type { Outcome } from '../../src/completion/outcome.ts';
import { connectQueue } from '../../src/queue/connect.ts';
import { Consumer } from '../../src/queue/consumer.ts';
import { CompletionProducer } from '../../src/queue/producer.ts';
import { RedisServer } from '../support/servers/redis.ts';

describe('a queue on a Redis Cluster', () => {
  let redis: RedisServer;
  before(async () => {
    redis = new RedisServer({ args: ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'] });
    await redis.start();
    const node = new Redis(redis.url);
    await node.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    while (!(await node.call('CLUSTER', 'INFO'))?.toString().includes('cluster_state:ok'));
    node.disconnect();
  });
  after(() => redis.stop());

  const parse = (prefix: string) => settingsSchema.safeParse({ queue: { url: redis.url, cluster: true, prefix } });

  it('keeps its keys in one slot, and takes completions from a producer to a consumer and back', async () => {
    const settings = parse('{completiond}').data;
    assert.ok(settings);
    const connection = await connectQueue(settings.queue, 'consumer');
    const outcome = { outcome: 'completed', recorded: true } as Outcome;
    const stats = { transactionMs: 1, lockMs: 1, lockWaitMs: 1, flushes: [], statements: 1, rows: 1, bytes: 1 };
    const nothing = () => undefined;
    const consumer = new Consumer({
      connection,
      concurrency: 1,
      jobBytes: settings.limits.jobBytes,
      requeue: settings.requeue,
      apply: async () => ({ kind: 'completed', outcome, stats }),
      onVerdict: nothing,
      onPutBack: nothing,
      onDeadLetter: nothing,
      onStalled: nothing,
      onError: nothing,
    });
    const producer = await CompletionProducer.connect(settings);
    assert.deepEqual(await producer.enqueueAndWait({ task_id: 'T' }, { timeoutMs: 20_000 }), outcome);
    await producer.close();
    await consumer.close(1_000);
    await connection.close();
  });

  it('needs a hash tag in its prefix', () => {
    assert.match(parse('completiond').error?.message ?? '', /hash tag/);
  });
});
