import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(directory: string): string {
  if (existsSync(join(directory, 'package.json'))) return directory;
  const parent = dirname(directory);
  if (parent === directory) throw new Error('completiond is not inside its package');
  return findRoot(parent);
}

/** The package's directory, from its sources and from what is compiled. */
export const packageRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)));
