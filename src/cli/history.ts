import type { Command } from 'commander';
import { type HistoryEvent, readHistory } from '../store/reads.ts';
import type { Store } from '../store/store.ts';
import type { CliContext } from './context.ts';
import { historySequence, positiveInteger } from './option-values.ts';

interface HistoryOptions {
  readonly after?: bigint;
  readonly limit?: number;
}

/** Events in memory at once: a payload may have megabytes. */
const pageEvents = 50;
const eventWidth = 26;
const header = `sequence  ${'recorded'.padEnd(27)}  ${'event'.padEnd(eventWidth)}  step\n`;

function lineOf({ sequence, recorded_at, event_type, payload }: HistoryEvent): string {
  return `${sequence.padStart(8)}  ${recorded_at}  ${event_type.padEnd(eventWidth)}  ${payload.sequence ?? ''}`.trimEnd();
}

/** Prints page by page: a history of any length takes the memory of one page. */
async function printHistory(context: CliContext, store: Store, runId: string, options: HistoryOptions): Promise<void> {
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  let page = await readHistory(store, runId, options.after ?? 0n, Math.min(left, pageEvents));
  await context.write(context.json ? `{"run_id":${JSON.stringify(runId)},"events":[` : header);
  for (let separator = ''; ; ) {
    for (const event of page.events) {
      await context.write(context.json ? separator + JSON.stringify(event) : `${lineOf(event)}\n`);
      separator = ',';
    }
    left -= page.events.length;
    if (page.next === null || left === 0) break;
    page = await readHistory(store, runId, BigInt(page.next), Math.min(left, pageEvents));
  }
  if (context.json) await context.write(`],"next":${JSON.stringify(page.next)}}\n`);
}

/** `history`: what a run did, event by event. */
export function addHistory(program: Command, context: CliContext): void {
  program
    .command('history <run-id>')
    .description("a run's events, in order")
    .option('--after <sequence>', 'go on behind this event; else from the first', historySequence)
    .option('--limit <n>', 'events at most; else all', positiveInteger())
    .addHelpText('after', '\nExample:\n  completiond history 01J8Z0M7T9… --after 100 --limit 20')
    .action((runId: string, options: HistoryOptions) =>
      context.withStore(store => printHistory(context, store, runId, options)),
    );
}
