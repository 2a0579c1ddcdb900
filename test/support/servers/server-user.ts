import { execFileSync } from 'node:child_process';

/** The ids of a user of this system. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Who a database server has to run as: PostgreSQL refuses root, so root's servers get the user of their Debian package.
 * Everybody else's run as themselves: undefined.
 */
export function serverUser(name: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
