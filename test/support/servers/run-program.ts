import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { guardExit } from './exit-guard.ts';
import { killGroup } from './process-tree.ts';
import type { ServerUser } from './server-user.ts';

/** Runs a program to its end; an error with its output when it fails. What it started dies with this process. */
export async function runProgram(binary: string, args: readonly string[], user?: ServerUser): Promise<void> {
  const child = spawn(binary, args, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user ?? {}),
  });
  const { pid } = child;
  const release = guardExit(() => pid !== undefined && killGroup(pid));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += String(chunk)));
  try {
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${binary} ended with ${code}: ${output.trim()}`);
  } finally {
    release();
  }
}
