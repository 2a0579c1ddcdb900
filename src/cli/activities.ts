import type { Command } from 'commander';
import { readActivities } from '../store/reads.ts';
import type { CliContext } from './context.ts';
import { formatTable } from './table.ts';

/** `activities`: a run's activities with their attempts. */
export function addActivities(program: Command, context: CliContext): void {
  program
    .command('activities <run-id>')
    .description("a run's activities with their attempts")
    .addHelpText('after', '\nExample:\n  completiond activities 01J8Z0M7T9…')
    .action((runId: string) =>
      context.withStore(async store => {
        const document = await readActivities(store, runId);
        const rows = document.activities.map((activity: Readonly<Record<string, unknown>>) => {
          const { sequence: step, activity_type, status, attempt_count, closed_at } = activity;
          return [step, activity_type, status, attempt_count, closed_at];
        });
        context.print(document, () => formatTable(['step', 'activity', 'status', 'attempts', 'closed'], rows));
      }),
    );
}
