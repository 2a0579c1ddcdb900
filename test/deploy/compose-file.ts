import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { packageRoot } from '../../config/package-root.ts';

const service = z.object({
  image: z.string().optional(),
  build: z.string().optional(),
  command: z.array(z.string()).optional(),
  container_name: z.string().optional(),
  profiles: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string().nullable()).default({}),
  healthcheck: z.object({ test: z.array(z.string()).optional(), disable: z.boolean().optional() }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  stop_grace_period: z.string().optional(),
});

/** What the tests look at in a compose file; anchors and merge keys are resolved. */
const composeFile = z.object({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
});

/** One service of the compose file. */
export type ComposeService = z.infer<typeof service>;

/** The text of one of the package's files. */
export function packageFile(name: string): string {
  return readFileSync(join(packageRoot, name), 'utf8');
}

/** `docker-compose.yml` as plain data, for a schema to check. */
export function rawComposeFile(): unknown {
  return parse(packageFile('docker-compose.yml'), { merge: true });
}

/** `docker-compose.yml`, typed. */
export function readComposeFile(): z.infer<typeof composeFile> {
  return composeFile.parse(rawComposeFile());
}
