import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { DaemonProcess } from '../support/daemon-process.ts';
import { MariadbServer } from '../support/servers/mariadb.ts';
import { PostgresServer } from '../support/servers/postgres.ts';
import { RedisServer } from '../support/servers/redis.ts';
import { Load } from './load.ts';

/** The databases that faults are tried on. */
export const sceneKinds = ['sqlite', 'postgres', 'mariadb'] as const;
export type SceneKind = (typeof sceneKinds)[number];

/** Names for people. */
export const databaseNames: Readonly<Record<SceneKind, string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  mariadb: 'MariaDB',
};

const servers: Readonly<Record<SceneKind, () => PostgresServer | MariadbServer | undefined>> = {
  sqlite: () => undefined,
  postgres: () => new PostgresServer(),
  mariadb: () => new MariadbServer(),
};

/** Servers of a fault's own, and the daemons that suffer it. */
export class Scene {
  readonly kind: SceneKind;
  readonly redis = new RedisServer({ appendonly: true });
  readonly database: PostgresServer | MariadbServer | undefined;
  readonly #directory = mkdtempSync(join(tmpdir(), 'completiond-faults-'));
  readonly #daemons: DaemonProcess[] = [];
  #load: Load | undefined;
  #databaseUrl = '';

  private constructor(kind: SceneKind) {
    this.kind = kind;
    this.database = servers[kind]();
  }

  /** Servers that run, and a load in the queue, with a completion in its midst that does harm if `poison` is given. */
  static async open(kind: SceneKind, poison?: string): Promise<Scene> {
    const scene = new Scene(kind);
    await scene.redis.start();
    await scene.database?.start();
    scene.#databaseUrl = await scene.#createDatabase();
    scene.#load = await Load.prepare(databaseNames[kind], scene.#databaseUrl, scene.redis.url, poison);
    return scene;
  }

  get load(): Load {
    if (this.#load === undefined) throw new Error('the scene is not open');
    return this.#load;
  }

  get databaseUrl(): string {
    return this.#databaseUrl;
  }

  /** A daemon that is ready. @param env settings over the load's. */
  async daemon(env: Readonly<Record<string, string>> = {}): Promise<DaemonProcess> {
    const daemon = await this.launch(env);
    await daemon.ready();
    return daemon;
  }

  /** A daemon that may not live to be ready. */
  async launch(env: Readonly<Record<string, string>>): Promise<DaemonProcess> {
    const daemon = await DaemonProcess.launch({ ...this.load.env, ...env });
    this.#daemons.push(daemon);
    return daemon;
  }

  async close(): Promise<void> {
    for (const daemon of this.#daemons) await daemon.kill();
    await this.#load?.close();
    await this.database?.stop();
    await this.redis.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #createDatabase(): Promise<string> {
    if (this.database === undefined) return `sqlite:${this.#directory}/t.db`;
    if (this.kind === 'postgres') return this.database.url;
    const connection = await createConnection(this.database.url);
    await connection.query('create database faults');
    await connection.end();
    return new URL('/faults', this.database.url).href;
  }
}
