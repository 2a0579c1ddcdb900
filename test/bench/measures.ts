import { WatchedWire } from '../support/watched-wire.ts';
import type { BenchServers, DatabaseKind } from './bench-servers.ts';
import { commitRate, emptyProcessorRate } from './ceilings.ts';
import { dbosRates, installDbos } from './dbos.ts';
import { Direct, type DirectRun } from './direct.ts';
import type { GoalName, Reached } from './goals.ts';
import { PoolRun } from './pool-run.ts';
import { alternate, figureOf, ratioOf } from './series.ts';
import { soak } from './soak.ts';
import { WholeDaemon } from './whole-daemon.ts';
import { prepareCompletions } from './workload.ts';

/** How much is measured. */
export interface Effort {
  readonly repetitions: number;
  /** Times the completions of a repetition. */
  readonly scale: number;
  /** Completions of the soak. */
  readonly soak: number;
}

/** What a measure is given. */
export interface Bench {
  readonly servers: BenchServers;
  readonly effort: Effort;
  readonly say: (line: string) => void;
}

/** Rows of the goals table that are measured together. */
export interface Measure {
  readonly goals: readonly GoalName[];
  readonly run: (bench: Bench) => Promise<readonly Reached[]>;
}

const sizes = { 5: 40, 40: 16 } as const;
const inFlightCount = 16;

/** Time under the lock, against row at a time in the same process. */
function locks(kind: DatabaseKind): Measure {
  return {
    goals: [`${kind}-5`, `${kind}-40`],
    run: async ({ servers, effort }) => {
      const direct = await Direct.open(await servers.settings(kind), 1);
      const reached: Reached[] = [];
      for (const records of [5, 40] as const) {
        const count = Math.ceil(sizes[records] * effort.scale);
        const lockMs = (writer: Parameters<Direct['run']>[3]) => async () =>
          (await direct.run(count, records, 1, writer)).lockMs;
        const values = await alternate(effort.repetitions, {
          product: lockMs('product'),
          rowAtATime: lockMs('row at a time'),
          rowsWithOneRange: lockMs('row at a time, one range'),
        });
        const figures = {
          'product, ms': figureOf(values.product),
          'row at a time, ms': figureOf(values.rowAtATime),
          'row at a time with one allocation, ms': figureOf(values.rowsWithOneRange),
        };
        reached.push({ name: `${kind}-${records}`, ratio: ratioOf(values.product, values.rowAtATime), figures });
      }
      await direct.close();
      return reached;
    },
  };
}

/** Statements and round trips of a completion of five records. */
function statements(kind: 'postgres' | 'mariadb'): Measure {
  return {
    goals: [`statements-${kind}`, `trips-${kind}`],
    run: async ({ servers }) => {
      const settings = await servers.settings(kind);
      const url = new URL(settings.database.url);
      const wire = await WatchedWire.open(url.hostname, Number(url.port));
      const straight = await Direct.open(settings, 1);
      url.port = String(wire.port);
      const watched = await Direct.open({ ...settings, database: { ...settings.database, url: url.href } }, 1);
      // The first prepares its statements and its connection.
      await watched.run(5, 5, 1, 'product');
      const ofOne: DirectRun[] = [];
      const turns: number[] = [];
      for (let count = 0; count < 10; count += 1) {
        const completions = await prepareCompletions(straight.store, 1, 5);
        wire.turns = 0;
        ofOne.push(await watched.apply(completions, 1));
        turns.push(wire.turns);
      }
      await watched.close();
      await straight.close();
      await wire.close();
      return [
        { name: `statements-${kind}`, ratio: figureOf(ofOne.map(run => run.statements)), figures: {} },
        { name: `trips-${kind}`, ratio: figureOf(turns), figures: {} },
      ];
    },
  };
}

const directly: Measure = {
  goals: ['direct-16', 'side-by-side'],
  run: async ({ servers, effort }) => {
    const settings = await servers.settings('postgres');
    const direct = await Direct.open(settings, inFlightCount);
    const count = Math.ceil(320 * effort.scale);
    await direct.run(count * 3, 5, inFlightCount, 'product');
    const rate = (concurrency: number, writer: 'product' | 'row at a time') => async () =>
      (await direct.run(count, 5, concurrency, writer)).completionsPerSecond;
    const values = await alternate(effort.repetitions, {
      product16: rate(inFlightCount, 'product'),
      product4: rate(4, 'product'),
      product1: rate(1, 'product'),
      rowAtATime16: rate(inFlightCount, 'row at a time'),
      commits16: () => commitRate(settings.database.url, count * 4, inFlightCount),
    });
    await direct.close();
    const figures = {
      'product, 16 in flight, /s': figureOf(values.product16),
      'product, 4 in flight, /s': figureOf(values.product4),
      'product, 1 in flight, /s': figureOf(values.product1),
      'row at a time, 16 in flight, /s': figureOf(values.rowAtATime16),
      'ceiling: bare COMMITs, 16 in flight, /s': figureOf(values.commits16),
    };
    return [
      { name: 'direct-16', ratio: ratioOf(values.product16, values.rowAtATime16), figures },
      { name: 'side-by-side', ratio: ratioOf(values.product16, values.product1), figures: {} },
    ];
  },
};

const daemon: Measure = {
  goals: ['daemon-16', 'daemon-dbos', 'daemon-pool', 'daemon-cpu'],
  run: async ({ servers, effort, say }) => {
    const concurrency = { concurrency: inFlightCount };
    const [mine, theirs] = [
      await servers.settings('postgres', concurrency),
      await servers.settings('postgres', concurrency),
    ];
    const product = await WholeDaemon.start(mine, false);
    const rowAtATime = await WholeDaemon.start(theirs, true);
    const pool = await PoolRun.open(mine);
    const oneThread = await PoolRun.open({ ...mine, threads: 1 });
    const hasDbos = await installDbos().then(
      () => true,
      (error: Error) => {
        say(`DBOS could not be installed: ${error.message.split('\n')[0]}`);
        return false;
      },
    );
    const dbosUrl = (await servers.settings('postgres')).database.url;
    const count = Math.ceil(800 * effort.scale);
    // Both daemons' code is compiled hot before the first round, as it is in one that runs for days.
    for (const part of [product, rowAtATime]) await part.run(count * 3, 5);
    for (const part of [pool, oneThread]) await part.run(count * 3, 5, inFlightCount);
    const cpu = { product: [] as number[], rowAtATime: [] as number[] };
    const rate = (daemon: WholeDaemon, cpuMs: number[]) => async () => {
      const run = await daemon.run(count, 5);
      cpuMs.push(run.cpuMs);
      return run.completionsPerSecond;
    };
    const values = await alternate(effort.repetitions, {
      product: rate(product, cpu.product),
      rowAtATime: rate(rowAtATime, cpu.rowAtATime),
      pool: () => pool.run(count, 5, inFlightCount),
      oneThread: () => oneThread.run(count, 5, inFlightCount),
      dbos: async () =>
        hasDbos ? ((await dbosRates(dbosUrl, Math.ceil(count / 8), inFlightCount, 1))[0] ?? 0) : Number.NaN,
      empty: async () => emptyProcessorRate(await servers.redisUrl(), count * 2, inFlightCount),
    });
    for (const part of [product, rowAtATime]) await part.stop();
    for (const part of [pool, oneThread]) await part.close();
    const figures = {
      'product, /s': figureOf(values.product),
      'row at a time, /s': figureOf(values.rowAtATime),
      'pool of 2 threads without a queue, /s': figureOf(values.pool),
      'pool of 1 thread without a queue, /s': figureOf(values.oneThread),
      'DBOS, /s': figureOf(values.dbos),
      'ceiling: BullMQ with an empty processor, /s': figureOf(values.empty),
    };
    const cpuFigures = {
      'product, CPU ms': figureOf(cpu.product.slice(1)),
      'row at a time, CPU ms': figureOf(cpu.rowAtATime.slice(1)),
    };
    return [
      { name: 'daemon-16', ratio: ratioOf(values.product, values.rowAtATime), figures },
      { name: 'daemon-dbos', ratio: ratioOf(values.product, values.dbos), figures: {} },
      { name: 'daemon-pool', ratio: ratioOf(values.product, values.pool), figures: {} },
      {
        name: 'daemon-cpu',
        ratio: ratioOf(cpu.product.slice(1), cpu.rowAtATime.slice(1)),
        figures: cpuFigures,
      },
    ];
  },
};

const growth: Measure = {
  goals: ['growth'],
  run: async ({ servers, effort }) => {
    const direct = await Direct.open(await servers.settings('postgres'), 1);
    const ofRecord = (records: number, count: number) => async () =>
      1_000 / (await direct.run(Math.ceil(count * effort.scale), records, 1, 'product')).completionsPerSecond / records;
    const values = await alternate(effort.repetitions, {
      one: ofRecord(1, 40),
      five: ofRecord(5, 40),
      twoHundred: ofRecord(200, 8),
      thousand: ofRecord(1_000, 3),
    });
    await direct.close();
    const figures = {
      'a record in one of 1, ms': figureOf(values.one),
      'a record in one of 5, ms': figureOf(values.five),
      'a record in one of 200, ms': figureOf(values.twoHundred),
      'a record in one of 1,000, ms': figureOf(values.thousand),
    };
    return [{ name: 'growth', ratio: ratioOf(values.thousand, values.five), figures }];
  },
};

const memory: Measure = { goals: ['memory'], run: bench => soak(bench) };

/** Everything that is measured, in this order. */
export const measures: readonly Measure[] = [
  locks('postgres'),
  locks('mariadb'),
  locks('sqlite'),
  statements('postgres'),
  statements('mariadb'),
  directly,
  growth,
  daemon,
  memory,
];
