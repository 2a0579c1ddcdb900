import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { extname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ConnectionErrorListener, QueueConnection, QueueSettings } from './connect.ts';
import { type EmbeddedEndpoint, readEndpoint } from './embedded-server.ts';
import { connectPostgres, schemaOf } from './postgres-connection.ts';
import { isQueueAway, QueueError, queueErrorOf } from './queue-error.ts';

/** The first start makes a database: seconds, and many of them on a machine that is busy. */
const startTimeoutMs = 60_000;
const keepIntervalMs = 1_000;

/** `embedded:DIRECTORY` → the absolute path. */
export function directoryOf(url: string): string {
  return resolve(decodeURIComponent(url.replace(/^embedded:(\/\/)?/, '')));
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolved => {
    const socket = connect(port, '127.0.0.1');
    const end = (alive: boolean) => {
      socket.destroy();
      resolved(alive);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

async function liveEndpoint(directory: string): Promise<EmbeddedEndpoint | undefined> {
  const endpoint = readEndpoint(directory);
  if (endpoint === undefined) return undefined;
  try {
    process.kill(endpoint.pid, 0);
  } catch {
    return undefined;
  }
  return (await answers(endpoint.port)) ? endpoint : undefined;
}

/** Starts a server in a process of its own, which outlives this one as long as others are connected. */
function spawnServer(directory: string, schema: string): ChildProcess {
  const main = fileURLToPath(new URL(`./embedded-main${extname(import.meta.url)}`, import.meta.url));
  const loader = extname(import.meta.url) === '.ts' ? ['--import', import.meta.resolve('tsx')] : [];
  const log = openSync(join(directory, 'server.log'), 'a');
  const stdio = ['ignore', log, log] as const;
  const child = spawn(process.execPath, [...loader, main, directory, schema], { detached: true, stdio: [...stdio] });
  child.unref();
  closeSync(log);
  return child;
}

/** The directory's server; started when there is none. Two processes that race end with one server: its lock decides. */
async function ensureServer(directory: string, schema: string, deadlineMs: number): Promise<EmbeddedEndpoint> {
  let server: ChildProcess | undefined;
  while (Date.now() < deadlineMs) {
    const endpoint = await liveEndpoint(directory);
    if (endpoint !== undefined) return endpoint;
    const isStarting = server !== undefined && server.exitCode === null && server.signalCode === null;
    if (!isStarting) server = spawnServer(directory, schema);
    await sleep(50);
  }
  throw new QueueError('queue_unavailable', `the embedded queue in ${directory} did not start; see server.log there`);
}

/** A server that dies between its answer and the first query is started again. */
async function connectToServer(
  settings: QueueSettings,
  directory: string,
  onError: ConnectionErrorListener,
): Promise<QueueConnection> {
  mkdirSync(directory, { recursive: true });
  const schema = schemaOf(settings.prefix);
  const deadlineMs = Date.now() + startTimeoutMs;
  for (;;) {
    const endpoint = await ensureServer(directory, schema, deadlineMs);
    if (endpoint.schema !== schema)
      throw new QueueError(
        'queue_refused',
        `the embedded queue in ${directory} has the prefix ${endpoint.schema}, not ${schema}: one directory keeps one prefix`,
      );
    const url = `postgres://postgres@127.0.0.1:${endpoint.port}/postgres?sslmode=disable`;
    try {
      return await connectPostgres(settings, url, onError, true);
    } catch (error) {
      if (Date.now() > deadlineMs || !isQueueAway(queueErrorOf('the embedded queue', error))) throw error;
      await sleep(50);
    }
  }
}

/** The embedded queue: PGlite in a process of its own, found or started by whoever needs it first. */
export async function connectEmbedded(
  settings: QueueSettings,
  onError: ConnectionErrorListener,
): Promise<QueueConnection> {
  const directory = directoryOf(settings.url);
  const schema = schemaOf(settings.prefix);
  const connection = await connectToServer(settings, directory, onError);
  // A server that died is started again, on the port that the clients know.
  const closing = new AbortController();
  const { signal } = closing;
  const keep = async () => {
    while (!signal.aborted) {
      await sleep(keepIntervalMs, undefined, { signal, ref: false });
      await ensureServer(directory, schema, Date.now() + startTimeoutMs).catch(onError);
    }
  };
  keep().catch(() => undefined);
  return {
    ...connection,
    async close() {
      closing.abort();
      await connection.close();
    },
  };
}
