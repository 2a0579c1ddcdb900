import type { Command } from 'commander';
import { readActivities, readHistory, streamHistory } from '../store/reads.ts';
import { CliError } from './cli-error.ts';
import { type CliContext, positiveInteger } from './context.ts';
import { formatTable } from './table.ts';

function sequence(text: string): bigint {
  if (!/^\d{1,19}$/.test(text)) throw new CliError('--after: expected a history sequence', 2);
  return BigInt(text);
}

/** `history` and `activities`: what a run did. */
export function addHistory(program: Command, context: CliContext): void {
  program
    .command('history <run-id>')
    .description("a run's events, in order")
    .option('--after <sequence>', 'go on behind this event', '0')
    .option('--limit <n>', 'events at most; else all', positiveInteger)
    .addHelpText('after', '\nExample:\n  completiond history 01J8Z0M7T9… --after 100 --limit 20')
    .action((runId: string, options: { after: string; limit?: number }) =>
      context.withStore(async store => {
        const after = sequence(options.after);
        const events = [];
        let next: string | null = null;
        if (options.limit === undefined)
          for await (const event of streamHistory(store, runId, after)) events.push(event);
        else {
          const page = await readHistory(store, runId, after, options.limit);
          events.push(...page.events);
          next = page.next;
        }
        const rows = events.map(event => [event.sequence, event.recorded_at, event.event_type, event.payload.sequence]);
        context.print({ run_id: runId, events, next }, () =>
          formatTable(['sequence', 'recorded', 'event', 'step'], rows),
        );
      }),
    );
  program
    .command('activities <run-id>')
    .description("a run's activities with their attempts")
    .addHelpText('after', '\nExample:\n  completiond activities 01J8Z0M7T9…')
    .action((runId: string) =>
      context.withStore(async store => {
        const document = await readActivities(store, runId);
        const rows = document.activities.map(activity => {
          const {
            sequence: step,
            activity_type,
            status,
            attempt_count,
            closed_at,
          } = activity as Record<string, unknown>;
          return [step, activity_type, status, attempt_count, closed_at];
        });
        context.print(document, () => formatTable(['step', 'activity', 'status', 'attempts', 'closed'], rows));
      }),
    );
}
