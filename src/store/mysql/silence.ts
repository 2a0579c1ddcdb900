import { Socket } from 'node:net';
import type { Pool, PoolConnection } from 'mysql2';

/** The server ends a statement at its time limit; this much later the network must have failed. */
const graceMs = 5_000;

function socketOf(connection: PoolConnection): Socket | undefined {
  const { stream } = connection as { readonly stream?: unknown };
  return stream instanceof Socket ? stream : undefined;
}

/** Cuts a connection whose server says nothing for longer than a statement may take. The driver itself would wait for ever. */
export function cutSilentConnections(pool: Pool, statementTimeoutMs: number): void {
  pool.on('connection', connection => {
    const socket = socketOf(connection);
    socket?.on(
      'timeout',
      () => void socket.destroy(Object.assign(new Error('the server is silent'), { code: 'ETIMEDOUT' })),
    );
  });
  pool.on('acquire', connection => socketOf(connection)?.setTimeout(statementTimeoutMs + graceMs));
  pool.on('release', allowSilence);
}

/** For what may take long: the connection is never cut for its silence. */
export function allowSilence(connection: PoolConnection): void {
  socketOf(connection)?.setTimeout(0);
}
