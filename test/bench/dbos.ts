import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { packageRoot } from '../../config/package-root.ts';

const run = promisify(execFile);
const folder = `${packageRoot}/test/bench/dbos`;

/** Installs DBOS in a folder of its own; it is no dependency of the product. @throws when it cannot be had. */
export async function installDbos(): Promise<void> {
  if (!existsSync(`${folder}/node_modules`)) await run('npm', ['ci'], { cwd: folder });
}

/** Rates of DBOS's workflows of five steps on a PostgreSQL, workflows a second, one a repetition. */
export async function dbosRates(url: string, count: number, concurrency: number, repetitions: number) {
  const args = [`${folder}/workflows.mjs`, url, String(count), String(concurrency), String(repetitions)];
  const { stdout } = await run(process.execPath, args);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]') as number[];
}
