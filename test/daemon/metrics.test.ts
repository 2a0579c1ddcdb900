import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Worker } from 'bullmq';
import { connectQueue } from '../../src/queue/connect.ts';
import { DaemonPlace } from '../support/daemon-place.ts';
import { record, signalWait } from '../support/drive.ts';
import { type Scrape, scrape } from './scrape.ts';

const threadFaults = new URL('../faults/thread-faults.mjs', import.meta.url).href;

describe('the metrics of a daemon', function () {
  this.timeout(120_000);
  let place: DaemonPlace;

  before(async () => {
    place = await DaemonPlace.open({
      env: {
        NODE_OPTIONS: `--import=${threadFaults}`,
        COMPLETIOND_CONCURRENCY: '1',
        COMPLETIOND_DATABASE_LOCK_TIMEOUT_MS: '1000',
        COMPLETIOND_QUEUE_STALLED_INTERVAL_MS: '200',
      },
    });
  });
  after(() => place.close());

  /** Scrapes until series have values over their floors. */
  async function until(floors: Readonly<Record<string, number>>): Promise<Scrape> {
    const missing = (found: Scrape) =>
      Object.entries(floors).filter(([name, floor]) => !((found.get(name) ?? 0) > floor));
    let found = await scrape(place.daemon.url);
    for (let tries = 0; tries < 300 && missing(found).length > 0; tries += 1) {
      await sleep(100);
      found = await scrape(place.daemon.url);
    }
    assert.deepEqual(missing(found), []);
    return found;
  }

  const counter = (name: string, labels: string) => `completiond_${name}{${labels}}`;

  it('count what a completion cost, by the completion and by the flush', async () => {
    const records = [record('a'), record('b')];
    await place.completed('cost', [...records, { type: 'record_side_effect', result: 'r' }, ...records, signalWait]);
    const costs = ['rows', 'bytes', 'statements', 'flushes'].map(name => `completion_${name}`);
    const flushes = ['rows', 'bytes', 'statements'].map(name => `flush_${name}`);
    const times = ['queue_wait_ms', 'transaction_ms', 'lock_held_ms', 'lock_wait_ms'];
    const names = [...costs, ...flushes, ...times].map(name => `completiond_${name}_count`);
    const found = await until(Object.fromEntries(names.map(name => [name, 0])));
    const of = (name: string) => found.get(`completiond_${name}`) ?? Number.NaN;
    assert.equal(of('completion_rows_count'), 1);
    assert.equal(of('flush_rows_count'), of('completion_flushes_sum'));
    assert.equal(of('flush_rows_sum'), of('completion_rows_sum'));
    assert.equal(of('flush_bytes_sum'), of('completion_bytes_sum'));
    assert.ok(of('flush_statements_sum') < of('completion_statements_sum'));
    assert.ok(of('transaction_ms_sum') >= of('lock_held_ms_sum'));
  });

  it('count duplicates, refusals and dead letters', async () => {
    const { envelope } = await place.fresh('twice');
    const completion = { ...envelope, commands: [signalWait] };
    await place.producer.enqueueAndWait(completion);
    await place.producer.enqueueAndWait({ ...completion, completion_id: 'the-same-again' });
    await assert.rejects(place.producer.enqueueAndWait({ ...envelope, commands: [] }));
    await until({
      completiond_duplicates_absorbed_total: 0,
      [counter('completions_total', 'outcome="completed",code=""')]: 2,
      [counter('completions_total', 'outcome="refused",code="invalid_completion"')]: 0,
      [counter('dead_letters_total', 'code="invalid_completion"')]: 0,
      [counter('jobs', 'state="failed"')]: 0,
    });
  });

  it('show what waits while the database is locked by another, and count the requeues', async () => {
    const fresh = [await place.fresh('held-1'), await place.fresh('held-2'), await place.fresh('held-3')];
    const other = new Database(place.settings.database.url.slice('sqlite:'.length));
    other.exec('begin immediate');
    const completions = fresh.map(({ envelope }) => ({ ...envelope, commands: [signalWait] }));
    const ids = await place.producer.enqueueBulk(completions);
    await until({ completiond_in_flight: 0, completiond_pool_utilization: 0 });
    await until({ completiond_oldest_waiting_ms: 0, [counter('jobs', 'state="waiting"')]: 0 });
    await until({ [counter('requeues_total', 'class="busy"')]: 0 });
    other.exec('rollback');
    other.close();
    for (const { completionId } of ids) await place.producer.waitFor(completionId, 60_000);
  });

  it('count outcomes that only the receipt knows, and what became of them', async () => {
    const { envelope } = await place.fresh('crash');
    const commands = [record('fault:exit'), signalWait];
    await assert.rejects(place.producer.enqueueAndWait({ ...envelope, commands }), /ended its worker thread/);
    await until({
      completiond_unknown_outcomes_total: 0,
      [counter('requeues_total', 'class="worker_crashed"')]: 0,
      [counter('dead_letters_total', 'code="worker_crashed"')]: 0,
    });
  });

  it('count jobs that are taken back from a worker that is gone', async () => {
    const { envelope } = await place.fresh('stalled');
    const { settings, connection, backend, close } = await connectQueue(place.settings.queue, 'consumer');
    const options = { connection, prefix: settings.prefix, autorun: false, lockDuration: 200 };
    const gone = new Worker(settings.name, null, options, backend);
    await gone.waitUntilReady();
    place.daemon.signal('SIGSTOP');
    const { completionId } = await place.producer.enqueue({ ...envelope, commands: [signalWait] });
    assert.equal((await gone.getNextJob('gone', { block: false }))?.id, completionId);
    place.daemon.signal('SIGCONT');
    await place.producer.waitFor(completionId, 30_000);
    await until({ completiond_stalled_jobs_total: 0 });
    await gone.close();
    await close();
  });

  it('show the write-ahead log and the event loop', async () => {
    const names = ['wal_bytes', 'nodejs_eventloop_lag_max_seconds', 'nodejs_eventloop_lag_p99_seconds'];
    await until(Object.fromEntries(names.map(name => [`completiond_${name}`, 0])));
  });
});
