import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { packageRoot } from '../../../config/package-root.ts';

const types = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' } as const;

const own = (name: string) => join(packageRoot, 'src/daemon/http/assets', name);

const compiled = (name: string) => join(packageRoot, 'dist/src/history', name);
const ofUplot = (name: string) => fileURLToPath(import.meta.resolve(`uplot/dist/${name}`));

/** Name under `/assets/` → the file. What browsers load is in this list and nowhere else. */
const files: Readonly<Record<string, string>> = {
  'style.css': own('style.css'),
  'icon.svg': own('icon.svg'),
  'dashboard.css': own('dashboard.css'),
  'dashboard.js': own('dashboard.js'),
  'live-chart.js': own('live-chart.js'),
  'run.css': own('run.css'),
  'run.js': own('run.js'),
  'history.js': own('history.js'),
  'timeline.js': own('timeline.js'),
  'timeline-drawing.js': own('timeline-drawing.js'),
  'event-table.js': own('event-table.js'),
  'event-panel.js': own('event-panel.js'),
  // Compiled from TypeScript: the command line draws with the same.
  'lanes.js': compiled('lanes.js'),
  'lane-rules.js': compiled('lane-rules.js'),
  'uplot.js': ofUplot('uPlot.esm.js'),
  'uplot.css': ofUplot('uPlot.min.css'),
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
