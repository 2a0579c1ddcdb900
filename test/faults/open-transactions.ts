import Database from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';

async function onPostgres(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select count(*)::int as n from pg_stat_activity where state like 'idle in transaction%'",
    );
    return rows[0].n;
  } finally {
    await client.end();
  }
}

async function onMysql(url: string): Promise<number> {
  const connection = await createConnection(url);
  try {
    const [rows] = await connection.query('select count(*) as n from information_schema.innodb_trx');
    return Number((rows as { n: number }[])[0]?.n);
  } finally {
    await connection.end();
  }
}

/** One writer at a time: when it can be had, nobody holds a transaction. */
function onSqlite(url: string): number {
  const database = new Database(url.replace(/^sqlite:/, ''), { timeout: 0 });
  try {
    database.exec('begin immediate; rollback');
    return 0;
  } catch {
    return 1;
  } finally {
    database.close();
  }
}

/** Transactions that a database has open, whoever left them. */
export async function openTransactions(databaseUrl: string): Promise<number> {
  if (databaseUrl.startsWith('sqlite:')) return onSqlite(databaseUrl);
  return databaseUrl.startsWith('postgres:') ? onPostgres(databaseUrl) : onMysql(databaseUrl);
}
