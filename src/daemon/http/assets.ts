import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { packageRoot } from '../../../config/package-root.ts';

const types = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' } as const;

const own = (name: string) => join(packageRoot, 'src/daemon/http/assets', name);

/** Name under `/assets/` → the file. What browsers load is in this list and nowhere else. */
const files: Readonly<Record<string, string>> = {
  'style.css': own('style.css'),
  'icon.svg': own('icon.svg'),
};

/** Scripts, styles and the icon, as they lie in the package. A browser asks each time, so that an upgrade is seen at once. */
export function addAssets(server: FastifyInstance): void {
  for (const [name, file] of Object.entries(files)) {
    const type = types[name.slice(name.lastIndexOf('.') + 1) as keyof typeof types];
    let content: Promise<Buffer> | undefined;
    server.get(`/assets/${name}`, async (_, reply) => {
      content ??= readFile(file);
      return reply
        .type(`${type}; charset=utf-8`)
        .header('cache-control', 'no-cache')
        .send(await content);
    });
  }
}
