import { Refusal } from '../completion/refusal.ts';
import type { ApplyContext } from './command.ts';

/**
 * Merges entries into a document of the run; null deletes. @returns the merged document.
 * @throws Refusal `payload_too_large` when it would be over the run's limit.
 */
export async function mergeDocument(
  tx: ApplyContext,
  kind: 'search_attributes' | 'memo',
  entries: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const document = await tx.document(kind);
  for (const [name, value] of Object.entries(entries)) {
    if (value === null) document.delete(name);
    else document.set(name, value);
  }
  const merged = Object.fromEntries(document);
  const bytes = Buffer.byteLength(JSON.stringify(merged));
  const limit = tx.documentLimit(kind);
  if (bytes > limit)
    throw new Refusal(
      'payload_too_large',
      `the ${kind} of run ${tx.run.id} would have ${bytes} bytes, the limit is ${limit}`,
    );
  return merged;
}
