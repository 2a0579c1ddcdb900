import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import Database from 'better-sqlite3';
import { wholeQueries } from './whole-queries.ts';

/** Where the server of a directory listens. */
export interface EmbeddedEndpoint {
  readonly port: number;
  readonly pid: number;
  readonly schema: string;
}

const maxConnections = 500;
/** Without a client for so long the server ends: long enough for a command to reconnect, short enough to leave nothing behind. */
const idleMs = 1_500;

/** How long a new server waits for the lock of one that may be closing; shorter than its starter waits to start another. */
const lockMs = 4_000;

const endpointFile = (directory: string) => join(directory, 'server.json');

/** The endpoint that the directory's last server wrote; it may be gone. */
export function readEndpoint(directory: string): EmbeddedEndpoint | undefined {
  try {
    return JSON.parse(readFileSync(endpointFile(directory), 'utf8')) as EmbeddedEndpoint;
  } catch {
    return undefined;
  }
}

/**
 * The directory's lock: a SQLite file, since its lock is the operating system's and ends with the process, however it ends.
 * @returns undefined when another process serves the directory.
 */
function lock(directory: string): Database.Database | undefined {
  const database = new Database(join(directory, 'server.lock'), { timeout: 0 });
  try {
    database.exec('begin exclusive');
    return database;
  } catch {
    database.close();
    return undefined;
  }
}

async function waitForLock(directory: string): Promise<Database.Database | undefined> {
  const deadline = Date.now() + lockMs;
  for (;;) {
    const held = lock(directory);
    if (held !== undefined || Date.now() > deadline) return held;
    await sleep(100);
  }
}

async function freePort(wanted: number): Promise<number> {
  for (const port of [wanted, 0]) {
    const probe = createServer();
    try {
      probe.listen(port, '127.0.0.1');
      await once(probe, 'listening');
      const address = probe.address();
      probe.close();
      await once(probe, 'close');
      if (address !== null && typeof address === 'object') return address.port;
    } catch {
      // The port of the last server is taken: any other one will do.
    }
  }
  throw new Error('no free port');
}

/**
 * Serves PGlite on a directory until nobody is connected any more. PGlite has one session for all clients and ignores the
 * `search_path` that they ask for, so it is set here, before the first one.
 * @returns false when another process serves the directory already.
 */
export async function serveEmbedded(directory: string, schema: string): Promise<boolean> {
  const held = await waitForLock(directory);
  if (held === undefined) return false;
  const database = await PGlite.create(join(directory, 'pgdata'));
  await database.exec(`create schema if not exists "${schema}"; set search_path to "${schema}"`);
  const port = await freePort(readEndpoint(directory)?.port ?? 0);
  const db = wholeQueries(database, error => {
    console.error('PGlite failed; the next client starts another server', error);
    process.exit(1);
  });
  const server = new PGLiteSocketServer({ db, port, host: '127.0.0.1', maxConnections });
  await server.start();
  const written = `${endpointFile(directory)}.${process.pid}`;
  writeFileSync(written, JSON.stringify({ port, pid: process.pid, schema } satisfies EmbeddedEndpoint));
  renameSync(written, endpointFile(directory));
  await untilIdle(server);
  await server.stop();
  await database.close();
  held.close();
  return true;
}

function untilIdle(server: PGLiteSocketServer): Promise<void> {
  return new Promise(resolve => {
    let idleSince = Date.now();
    const timer = setInterval(() => {
      if (server.getStats().activeConnections > 0) idleSince = Date.now();
      else if (Date.now() - idleSince >= idleMs) end();
    }, 100);
    const end = () => {
      clearInterval(timer);
      resolve();
    };
    process.once('SIGTERM', end);
  });
}
