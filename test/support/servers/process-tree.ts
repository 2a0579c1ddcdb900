import { execFileSync } from 'node:child_process';

/** The pids of a process's direct children; empty when there is no such process. */
export function childrenOf(pid: number): readonly number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows
    .map(row => row.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .flatMap(([child]) => (child === undefined ? [] : [child]));
}

/**
 * SIGKILL for a process and its direct children, at once. The parent is stopped before its children are listed, so
 * none is born in between and it cannot notice that one of them died first.
 */
export function killTree(pid: number): void {
  if (!signal(pid, 'SIGSTOP')) return;
  const children = childrenOf(pid);
  signal(pid, 'SIGKILL');
  for (const child of children) signal(child, 'SIGKILL');
}

/** Sends a signal; false when the process is gone already. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
