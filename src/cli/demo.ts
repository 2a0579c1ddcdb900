import type { Command } from 'commander';
import type { Settings } from '../../config/settings.ts';
import { openStore } from '../store/open-store.ts';
import { type HistoryEvent, streamHistory } from '../store/reads.ts';
import { CliError } from './cli-error.ts';
import type { CliContext } from './context.ts';
import type { DemoResult } from './demo/demo.ts';
import { positiveInteger } from './option-values.ts';
import { formatPairs } from './table.ts';

/** A completion takes 1,000 commands, and the last one waits. */
const maxRecords = 999;

function percentile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)} ms`;
}

function rates({ runs, completions, records, events, seconds, lockMs }: DemoResult): string {
  return formatPairs([
    ['runs', runs],
    ['completions', `${completions} in ${seconds.toFixed(1)} s, ${(completions / seconds).toFixed(0)} a second`],
    ['records', `${records}, ${(records / seconds).toFixed(0)} a second`],
    ['events', `${events}, ${(events / seconds).toFixed(0)} a second`],
    ["time under a run's lock", `p50 ${percentile(lockMs, 0.5)}, p99 ${percentile(lockMs, 0.99)}`],
  ]);
}

/** Aborts at the first signal, so that the demo can clean up; the second ends the process at once. */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      process.stderr.write('\ninterrupted: cleaning up …\n');
      controller.abort(new CliError('the demo was interrupted', 130));
    });
  return controller.signal;
}

async function eventsOf({ database }: Settings, runId: string): Promise<readonly HistoryEvent[]> {
  const store = await openStore({ database, connections: 1 });
  const events: HistoryEvent[] = [];
  for await (const event of streamHistory(store, runId)) events.push(event);
  await store.close();
  return events;
}

/** `demo`: everything in one process, on the embedded defaults. */
export function addDemo(program: Command, context: CliContext): void {
  program
    .command('demo')
    .description('everything in one process: starts runs, claims, enqueues, shows a history and the rates')
    .option('--runs <n>', 'runs to start', positiveInteger(), 50)
    .option('--records <n>', 'records of each completion, instead of the built-in stories', positiveInteger(maxRecords))
    .addHelpText('after', '\nExample:\n  completiond demo --runs 200 --records 40')
    .action(async (options: { runs: number; records?: number }) => {
      const { demoSettings, removeDirectory, runDemo } = await import('./demo/demo.ts');
      const { drawHistory } = await import('./demo/picture.ts');
      const { settings, directory } = await demoSettings(context.settings());
      const interrupt = interrupted();
      const { result, events } = await runDemo(settings, { ...options, interrupt })
        .then(async told => ({ result: told, events: await eventsOf(settings, told.shownRunId) }))
        .finally(() => removeDirectory(directory));
      const { lockMs: _, ...document } = result;
      const next = 'Next: `completiond start` runs the daemon, `completiond --help` lists everything else.';
      context.print(
        document,
        () => `\nrun ${result.shownRunId}\n${drawHistory(events)}\n\n${rates(result)}\n\n${next}`,
      );
    });
}
