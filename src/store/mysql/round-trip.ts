import type { PoolConnection, QueryError } from 'mysql2';
import type { RawRow } from '../connection.ts';
import { closedBefore, MysqlFailure } from './failure.ts';
import type { Bound } from './values.ts';

/** The OK packet of a statement without rows. */
export interface Ok {
  /** Exact: a decimal string from 2^53 on. */
  readonly insertId: number | string;
  readonly affectedRows: number;
  /** The server's status flags behind this statement. */
  readonly serverStatus: number;
}

/** One statement's answer. */
export type Answer = Ok | readonly RawRow[];

/** SERVER_STATUS_IN_TRANS of the protocol. */
const inTransactionFlag = 1;

/** Whether the connection has a transaction open behind this answer; undefined when it is not an OK packet. */
export function leavesTransactionOpen(answer: Answer | undefined): boolean | undefined {
  return answer && 'serverStatus' in answer ? (answer.serverStatus & inTransactionFlag) !== 0 : undefined;
}

/**
 * Sends statements as one text, their values put in by the driver, and resolves to one answer each. The server runs them in
 * order and stops at the first error. A value may be a list where the text says `in (?)`.
 * @throws MysqlFailure with the number of statements answered before.
 */
export function roundTrip(
  connection: PoolConnection,
  statements: readonly string[],
  values: readonly (Bound | readonly string[])[],
): Promise<readonly Answer[]> {
  if (connection.state === 'error' || connection.state === 'disconnected')
    return Promise.reject(new MysqlFailure({ code: closedBefore, fatal: true }));
  return new Promise((resolve, reject) => {
    let answered = 0;
    const onResult = (error: QueryError | null, results: unknown) => {
      if (error) return reject(new MysqlFailure(error, answered));
      const answers = (statements.length === 1 ? [results] : results) as readonly Answer[];
      if (answers.length === statements.length) return resolve(answers);
      return reject(new MysqlFailure({ code: 'answer_count', fatal: true }, answers.length));
    };
    const command = connection.query(statements.join(';\n'), [...values], onResult);
    command.on('fields', () => {
      answered += 1;
    });
  });
}

/** One statement that returns rows. @throws MysqlFailure. */
export async function rowsOf(
  connection: PoolConnection,
  sql: string,
  values: readonly (Bound | readonly string[])[] = [],
): Promise<readonly RawRow[]> {
  const [rows] = await roundTrip(connection, [sql], values);
  return Array.isArray(rows) ? rows : [];
}
