import assert from 'node:assert/strict';
import { settingsSchema } from '../../config/settings.ts';
import { connectQueue } from '../../src/queue/connect.ts';
import { Consumer } from '../../src/queue/consumer.ts';
import { CompletionProducer } from '../../src/queue/producer.ts';
import { RedisServer } from '../support/servers/redis.ts';

describe('a queue that is away', () => {
  let redis: RedisServer;
  beforeEach(async () => {
    redis = new RedisServer();
    await redis.start();
  });
  afterEach(() => redis.stop());

  const settings = () => settingsSchema.parse({ queue: { url: redis.url, prefix: 'outage' } });

  it('fails a producer fast, with an error that says so', async () => {
    const producer = await CompletionProducer.connect(settings());
    await redis.kill();
    const begin = Date.now();
    await assert.rejects(producer.enqueue({ task_id: 'T' }));
    assert.ok(Date.now() - begin < 12_000);
    await producer.close();
    await assert.rejects(
      CompletionProducer.connect(settings()),
      (error: unknown) => (error as { code?: string }).code === 'queue_unavailable',
    );
  });

  it('does not hold up the end of a consumer', async () => {
    const { queue, limits, requeue } = settings();
    const connection = await connectQueue(queue, 'consumer');
    const nothing = () => undefined;
    const consumer = new Consumer({
      connection,
      concurrency: 1,
      jobBytes: limits.jobBytes,
      requeue,
      apply: () => Promise.reject(new Error('not called')),
      onVerdict: nothing,
      onPutBack: nothing,
      onDeadLetter: nothing,
      onStalled: nothing,
      onError: nothing,
    });
    await consumer.ready();
    await redis.kill();
    const begin = Date.now();
    await consumer.close(1_000);
    await connection.close();
    assert.ok(Date.now() - begin < 5_000);
  });
});
