import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import type { DaemonProcess } from '../support/daemon-process.ts';
import { MariadbServer } from '../support/servers/mariadb.ts';
import { PostgresServer } from '../support/servers/postgres.ts';
import { RedisServer } from '../support/servers/redis.ts';
import { Load } from './load.ts';

interface DatabaseServer {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

const databases: Record<string, (() => DatabaseServer) | undefined> = {
  SQLite: undefined,
  PostgreSQL: () => new PostgresServer(),
  MariaDB: () => new MariadbServer(),
};

for (const [name, createServer] of Object.entries(databases)) {
  describe(`under load on ${name}, every completion is stored exactly once`, function () {
    this.timeout(180_000);
    let directory: string;
    let redis: RedisServer;
    let database: DatabaseServer | undefined;
    let load: Load;
    const daemons: DaemonProcess[] = [];

    beforeEach(async () => {
      directory = mkdtempSync(join(tmpdir(), 'completiond-faults-'));
      redis = new RedisServer({ appendonly: true });
      await redis.start();
      database = createServer?.();
      await database?.start();
      load = await Load.prepare(await databaseUrl(), redis.url);
    });
    afterEach(async () => {
      for (const daemon of daemons.splice(0)) await daemon.kill();
      await load.close();
      await database?.stop();
      await redis.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    async function databaseUrl(): Promise<string> {
      if (database === undefined) return `sqlite:${directory}/t.db`;
      if (name !== 'MariaDB') return database.url;
      const connection = await createConnection(database.url);
      await connection.query('create database faults');
      await connection.end();
      return new URL('/faults', database.url).href;
    }

    const start = async () => {
      const daemon = await load.daemon();
      daemons.push(daemon);
      return daemon;
    };

    it('when the daemon is killed again and again', async () => {
      for (const share of [0.1, 0.4, 0.7]) {
        const daemon = await start();
        await load.underWay(share);
        await daemon.kill();
      }
      await start();
      await load.assertAllStoredOnce();
    });

    it('when one of three replicas is killed and one is drained', async () => {
      const [killed, drained] = [await start(), await start(), await start()];
      await load.underWay(0.2);
      await killed?.kill();
      assert.equal(await drained?.stop(), 0);
      await load.assertAllStoredOnce();
    });

    it('when Redis is killed and comes back', async () => {
      await start();
      await load.underWay(0.2);
      await redis.kill();
      await sleep(1_000);
      await redis.restart();
      await load.assertAllStoredOnce();
    });

    if (createServer === undefined) return;

    it('when the database is killed and comes back, and the daemon says that it is not ready', async () => {
      const daemon = await start();
      await load.underWay(0.2);
      await database?.kill();
      let answer = await fetch(`${daemon.url}/readyz`);
      for (let looks = 0; looks < 80 && answer.ok; looks += 1) {
        await sleep(100);
        answer = await fetch(`${daemon.url}/readyz`);
      }
      assert.equal(answer.status, 503);
      await database?.restart();
      await load.assertAllStoredOnce();
    });
  });
}
