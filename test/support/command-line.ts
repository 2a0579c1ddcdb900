import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

/** Settings of the environment. */
export type Environment = Readonly<Record<string, string>>;

/** What a command left behind. */
export interface Ran {
  /** Its exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly milliseconds: number;
}

/** Starts the compiled command line. Nothing of this process's own settings reaches it. */
export function startCommand(
  args: readonly string[],
  env: Environment,
  nodeOptions: readonly string[] = [],
): ChildProcess {
  if (!existsSync(main)) throw new Error('dist is missing: npm run build');
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('COMPLETIOND_'));
  return spawn(process.execPath, [...nodeOptions, main, ...args], {
    env: { ...Object.fromEntries(own), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs a command to its end. */
export async function runCommand(
  args: readonly string[],
  env: Environment,
  nodeOptions: readonly string[] = [],
): Promise<Ran> {
  const begin = performance.now();
  const child = startCommand(args, env, nodeOptions);
  const { stdout, stderr } = child;
  assert.ok(stdout && stderr);
  const [out, err, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')]);
  return { code: code as number | null, out, err, milliseconds: performance.now() - begin };
}

/** It ended with a code, one line of error and no output. */
export function assertOneLine({ code, out, err }: Ran, expectedCode: number, what: string): void {
  assert.equal(code, expectedCode, `${what}: ${err}`);
  assert.match(err, /^completiond: [^\n]+\n$/, what);
  assert.equal(out, '', what);
}
