import type { Pipeline } from './pipeline.ts';
import { serverFacts } from './statements.ts';

/** 13.0, as `server_version_num` has it. */
const minVersionNumber = 130_000;

/** What of this server would break the contract, one line each. @throws PostgresFailure. */
export async function serverProblems(pipeline: Pipeline): Promise<readonly string[]> {
  const { rows } = await pipeline.ask({ label: 'server-facts', text: serverFacts });
  const facts = rows[0] ?? {};
  const checks: readonly (readonly [isWrong: boolean, problem: string])[] = [
    [Number(facts.version_number) < minVersionNumber, `PostgreSQL ${facts.version} is too old: 13 or newer is needed`],
    [facts.encoding !== 'UTF8', `the database's encoding is ${facts.encoding}, not UTF8`],
    [facts.is_read_only !== false, 'the server is read-only'],
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, problem]) => problem);
}
