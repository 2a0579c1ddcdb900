import type { ReadPool } from '../../pool/read-pool.ts';
import type { ReadRequest } from '../../pool/read-protocol.ts';
import { HttpError } from './http-error.ts';

/** What an id may look like; anything else is unknown without asking the database. */
const idPattern = /^[\w-]{1,64}$/;

/** A document of the reading thread, as JSON text. @throws HttpError with the code and status of the failure. */
export async function readJson(pool: ReadPool, request: ReadRequest): Promise<string> {
  if ('runId' in request && !idPattern.test(request.runId))
    throw new HttpError(404, 'run_not_found', 'there is no such run');
  const answer = await pool.read(request);
  if (answer.kind === 'failed') throw new HttpError(answer.status, answer.code, answer.message);
  return answer.json;
}
