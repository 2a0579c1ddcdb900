import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The pids of a process's direct children; empty when there is no such process. */
export function childrenOf(pid: number): readonly number[] {
  return parents().flatMap(([child, parent]) => (parent === pid ? [child] : []));
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

/** SIGSTOP or SIGCONT for a process and its direct children. */
export function signalTree(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const member of [pid, ...childrenOf(pid)]) signal(member, name);
}

/** SIGKILL for a process group, whose leader may be gone already. */
export function killGroup(leader: number): void {
  signal(-leader, 'SIGKILL');
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

/** Every process and its parent: from /proc where there is one, because slim systems have no `ps`. */
function parents(): readonly (readonly [child: number, parent: number])[] {
  if (existsSync('/proc/self/stat')) return readdirSync('/proc').flatMap(name => parentInProc(name));
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).matchAll(/(\d+)\s+(\d+)/g);
  return [...rows].map(([, child, parent]) => [Number(child), Number(parent)] as const);
}

function parentInProc(name: string): readonly (readonly [child: number, parent: number])[] {
  if (!/^\d+$/.test(name)) return [];
  try {
    // "pid (command) state ppid …": the command may hold spaces and parentheses itself.
    const parent = /.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1];
    return parent === undefined ? [] : [[Number(name), Number(parent)]];
  } catch {
    return []; // It ended meanwhile.
  }
}
