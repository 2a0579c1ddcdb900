import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { inFlight } from './workload.ts';

/** Bare transactions of one updated row each, on connections of their own. @returns COMMITs a second. */
export async function commitRate(url: string, count: number, concurrency: number): Promise<number> {
  const clients = Array.from({ length: concurrency }, () => new Client({ connectionString: url }));
  await Promise.all(clients.map(client => client.connect()));
  await clients[0]?.query('create table if not exists bench_commits (id int primary key, n int)');
  await clients[0]?.query(
    `insert into bench_commits select n, 0 from generate_series(0, ${concurrency - 1}) as n on conflict do nothing`,
  );
  let left = count;
  const begin = performance.now();
  await inFlight([...clients.entries()], concurrency, async ([id, client]) => {
    while (left > 0) {
      left -= 1;
      await client.query(`update bench_commits set n = n + 1 where id = ${id}`);
    }
  });
  const rate = count / ((performance.now() - begin) / 1_000);
  await Promise.all(clients.map(client => client.end()));
  return rate;
}

/** Jobs that nothing is done with. @returns jobs a second. */
export async function emptyProcessorRate(url: string, count: number, concurrency: number): Promise<number> {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const prefix = `empty${Math.random().toString(36).slice(2)}`;
  const queue = new Queue('empty', { connection, prefix });
  await queue.addBulk(Array.from({ length: count }, () => ({ name: 'empty', data: {} })));
  const options = { connection, prefix, concurrency, autorun: false, removeOnComplete: { count: 1_000 } };
  const worker = new Worker('empty', async () => undefined, options);
  const drained = new Promise<void>(resolve => {
    let done = 0;
    worker.on('completed', () => {
      done += 1;
      if (done === count) resolve();
    });
  });
  const begin = performance.now();
  const running = worker.run();
  await drained;
  const rate = count / ((performance.now() - begin) / 1_000);
  await worker.close();
  await running;
  await queue.close();
  connection.disconnect();
  return rate;
}
