import type { Reached } from './goals.ts';
import type { Bench } from './measures.ts';
import { figureOf } from './series.ts';
import { WholeDaemon } from './whole-daemon.ts';

const batch = 500;
const bars = '▁▂▃▄▅▆▇█';

/** A line that shows how values went. */
function sparkline(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const level = (value: number) => Math.round(((value - least) / (most - least || 1)) * (bars.length - 1));
  return values.map(value => bars[level(value)]).join('');
}

/** Mean of a tenth of the samples, counted from 1. */
function tenth(samples: readonly number[], number: number): number {
  const size = samples.length / 10;
  const part = samples.slice(Math.floor((number - 1) * size), Math.max(1, Math.floor(number * size)));
  return part.reduce((sum, value) => sum + value, 0) / part.length;
}

/** A daemon under load for long: its memory behind every batch. */
export async function soak({ servers, effort, say }: Bench): Promise<readonly Reached[]> {
  const daemon = await WholeDaemon.start(await servers.settings('postgres', { concurrency: 16 }), false);
  const samples: number[] = [];
  for (let done = 0; done < effort.soak; done += batch) {
    await daemon.run(Math.min(batch, effort.soak - done), 5);
    samples.push(daemon.memoryBytes / 2 ** 20);
  }
  await daemon.stop();
  const kept = samples.filter((_, index) => index % Math.ceil(samples.length / 60) === 0);
  say(`memory over ${effort.soak} completions: ${sparkline(kept)}`);
  const [second, last] = [tenth(samples, 2), tenth(samples, 10)];
  return [
    {
      name: 'memory',
      ratio: figureOf([last / second]),
      figures: { 'second tenth, MiB': figureOf([second]), 'last tenth, MiB': figureOf([last]) },
    },
  ];
}
