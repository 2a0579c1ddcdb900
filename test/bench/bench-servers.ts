import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Settings, settingsSchema } from '../../config/settings.ts';
import { RedisServer } from '../support/servers/redis.ts';
import { temporaryPath } from '../support/servers/temporary-folder.ts';
import { Servers } from '../support/servers.ts';

/** The databases that are measured. */
export const databaseKinds = ['postgres', 'mariadb', 'sqlite'] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

/** Servers of the benchmark's own, with their default durability. */
export class BenchServers {
  readonly #servers = new Servers({});
  readonly #redis = new RedisServer();
  #redisRuns = false;

  /** Settings on a fresh database, and a queue on Redis with a prefix of its own. */
  async settings(kind: DatabaseKind, more: object = {}): Promise<Settings> {
    const prefix = `bench${Math.random().toString(36).slice(2)}`;
    return settingsSchema.parse({
      database: { url: await this.#databaseUrl(kind) },
      queue: { url: await this.redisUrl(), prefix },
      ...more,
    });
  }

  async redisUrl(): Promise<string> {
    if (!this.#redisRuns) await this.#redis.start();
    this.#redisRuns = true;
    return this.#redis.url;
  }

  async stop(): Promise<void> {
    await this.#servers.stop();
    if (this.#redisRuns) await this.#redis.stop();
  }

  async #databaseUrl(kind: DatabaseKind): Promise<string> {
    if (kind === 'postgres') return this.#servers.postgresUrl();
    if (kind === 'mariadb') return this.#servers.mysqlUrl();
    const directory = temporaryPath('bench');
    mkdirSync(directory);
    return `sqlite:${join(directory, 'bench.db')}`;
  }
}
