import { extname } from 'node:path';

/** The piscina entry beside this module: TypeScript under a loader, JavaScript when compiled. */
export const workerUrl = new URL(`../../workers/completion${extname(import.meta.url)}`, import.meta.url);
