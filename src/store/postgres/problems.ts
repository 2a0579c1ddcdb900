import type { Pipeline } from './pipeline.ts';
import { serverFacts } from './statements.ts';

/** 13.0, as `server_version_num` has it. */
const minVersionNumber = 130_000;

/**
 * What of this server would break the contract, one line each.
 * @param isPooled settings hold only inside transactions: the session's own say nothing.
 * @throws PostgresFailure.
 */
export async function serverProblems(pipeline: Pipeline, isPooled: boolean): Promise<readonly string[]> {
  const { rows } = await pipeline.ask({ label: 'server-facts', text: serverFacts });
  const facts = rows[0] ?? {};
  const checks: readonly (readonly [isWrong: boolean, problem: string])[] = [
    [Number(facts.version_number) < minVersionNumber, `PostgreSQL ${facts.version} is too old: 13 or newer is needed`],
    [facts.encoding !== 'UTF8', `the database's encoding is ${facts.encoding}, not UTF8`],
    [facts.is_read_only !== false, 'the server is read-only'],
    [
      !isPooled && facts.zone !== 'UTC',
      `the session is in ${facts.zone}, not UTC: behind a pooler that drops settings, switch database.namedStatements off`,
    ],
    [facts.has_fsync !== true, 'fsync is off: a crash of the server loses committed completions'],
    [
      facts.synchronous_commit === 'off',
      'synchronous_commit is off: a crash of the server loses committed completions',
    ],
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, problem]) => problem);
}
