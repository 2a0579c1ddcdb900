import { extname } from 'node:path';

/** A thread's entry beside this module: TypeScript under a loader, JavaScript when compiled. */
export function workerUrl(name: 'completion' | 'read' | 'watchdog'): URL {
  return new URL(`../../workers/${name}${extname(import.meta.url)}`, import.meta.url);
}
