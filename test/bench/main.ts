import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command } from 'commander';
import { removeTemporaryFolder } from '../support/servers/temporary-folder.ts';
import { BenchServers } from './bench-servers.ts';
import type { Reached } from './goals.ts';
import { type Effort, measures } from './measures.ts';
import { json, markdown } from './report.ts';

const full: Effort = { repetitions: 7, scale: 1, soak: 100_000 };
const quick: Effort = { repetitions: 3, scale: 0.25, soak: 5_000 };

const program = new Command('bench')
  .description('Measures the product against a writer of one row at a time, DBOS, and what the parts can do at most.')
  .option('--quick', 'a look: few repetitions of few completions')
  .option('--only <names...>', 'rows whose name begins with one of these')
  .option('--repetitions <n>', 'repetitions, in alternating order', Number)
  .option('--soak <n>', 'completions of the soak', Number)
  .option('--out <file>', 'where the figures go as JSON', '.bench/figures.json')
  .addHelpText('after', '\nExample:\n  npm run bench -- --quick --only postgres daemon')
  .parse();

const options = program.opts<{
  quick?: boolean;
  only?: string[];
  repetitions?: number;
  soak?: number;
  out: string;
}>();

const base = options.quick ? quick : full;
const effort: Effort = {
  ...base,
  repetitions: options.repetitions ?? base.repetitions,
  soak: options.soak ?? base.soak,
};
const isWanted = (name: string) => options.only?.some(only => name.startsWith(only)) ?? true;
const say = (line: string) => void process.stderr.write(`${line}\n`);

const servers = new BenchServers();
const results: Reached[] = [];
try {
  for (const measure of measures.filter(({ goals }) => goals.some(isWanted))) {
    say(`measuring ${measure.goals.join(', ')} …`);
    try {
      results.push(...(await measure.run({ servers, effort, say })));
    } catch (error) {
      say(`could not be measured: ${error instanceof Error ? error.stack : error}`);
      process.exitCode = 1;
    }
  }
} finally {
  await servers.stop();
  removeTemporaryFolder();
}
mkdirSync(dirname(options.out), { recursive: true });
writeFileSync(options.out, json(results, effort));
process.stdout.write(markdown(results));
