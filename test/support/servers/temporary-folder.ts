import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string | undefined;
let subfolders = 0;

/**
 * A new path inside the one temporary folder of this process, which is made at the first call. Nothing is at the path
 * yet. It is short, because a socket's path has to fit into 108 bytes, and every user may walk through the folder.
 */
export function temporaryPath(name: string): string {
  folder ??= readableFolder();
  subfolders += 1;
  return join(folder, `${name}-${subfolders}`);
}

/** Removes the temporary folder and everything in it, at once; the next `temporaryPath` makes another one. */
export function removeTemporaryFolder(): void {
  if (folder === undefined) return;
  rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
  folder = undefined;
}

function readableFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'completiond-test-'));
  chmodSync(path, 0o755);
  return path;
}
