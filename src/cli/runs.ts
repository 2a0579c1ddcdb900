import { type Command, Option } from 'commander';
import { runStatuses } from '../completion/outcome.ts';
import { listRuns, readRun } from '../store/reads.ts';
import { cancelRun, terminateRun } from '../transaction/end-run.ts';
import { startRun } from '../transaction/start-run.ts';
import type { CliContext } from './context.ts';
import { addExternalOptions, type ExternalOptions, externalRequest } from './external-options.ts';
import { positiveInteger } from './option-values.ts';
import { formatPairs, formatTable } from './table.ts';

interface StartOptions {
  readonly type: string;
  readonly queue: string;
  readonly id?: string;
  readonly arguments?: string;
  readonly codec?: string;
  readonly ifExists?: 'refuse' | 'use';
  readonly executionTimeout?: number;
  readonly runTimeout?: number;
}

function addStart(runs: Command, context: CliContext): void {
  runs
    .command('start')
    .description('start a run with its first workflow task')
    .requiredOption('--type <type>', 'workflow type')
    .requiredOption('--queue <queue>', 'queue that its workflow tasks are claimed from')
    .option('--id <id>', 'workflow id; else a new one')
    .option('--arguments <text>', 'encoded arguments')
    .option('--codec <codec>', 'codec of the payloads', 'json')
    .addOption(
      new Option('--if-exists <what>', 'when the id is in use: refuse, or use its open run')
        .choices(['refuse', 'use'])
        .default('refuse'),
    )
    .option('--execution-timeout <seconds>', 'how long the workflow may take, over all its runs', positiveInteger())
    .option('--run-timeout <seconds>', 'how long this run may take', positiveInteger())
    .addHelpText(
      'after',
      `\nExample:\n  completiond runs start --type order --queue orders --arguments '[{"order":"A-1"}]'`,
    )
    .action((options: StartOptions) =>
      context.withStore(async (store, settings) => {
        const request = {
          workflow_type: options.type,
          queue: options.queue,
          workflow_id: options.id,
          arguments: options.arguments,
          payload_codec: options.codec,
          if_exists: options.ifExists,
          execution_timeout_seconds: options.executionTimeout,
          run_timeout_seconds: options.runTimeout,
        };
        const started = await startRun(store, request, settings.limits.payloadBytes);
        context.print(started, () => formatPairs(Object.entries(started)));
      }),
    );
}

function addReads(runs: Command, context: CliContext): void {
  runs
    .command('show <run-id>')
    .description('a run with its summary and its waits')
    .addHelpText('after', '\nExample:\n  completiond runs show 01J8Z0M7T9… --json')
    .action((runId: string) =>
      context.withStore(async store => {
        const run = await readRun(store, runId);
        const text = () => {
          const { summary, waits, ...columns } = run as Record<string, unknown> & { waits: Record<string, unknown>[] };
          const rows = waits.map(wait => [wait.kind, wait.name, wait.status, wait.opened_at, wait.deadline_at]);
          const pairs = formatPairs([...Object.entries(columns), ...Object.entries(summary ?? {})]);
          return rows.length === 0
            ? pairs
            : `${pairs}\n\n${formatTable(['wait', 'name', 'status', 'opened', 'deadline'], rows)}`;
        };
        context.print(run, text);
      }),
    );
  runs
    .command('list')
    .description('runs, newest first')
    .addOption(new Option('--status <status>', 'with this status').choices(runStatuses))
    .option('--type <type>', 'workflow type')
    .option('--id <id>', 'workflow id')
    .option('--before <run-id>', 'go on behind this run')
    .option('--limit <n>', 'runs at most', positiveInteger(1_000), 50)
    .addHelpText('after', '\nExample:\n  completiond runs list --status failed --limit 10')
    .action((options: { status?: string; type?: string; id?: string; before?: string; limit: number }) =>
      context.withStore(async store => {
        const { id: workflowId, ...filter } = options;
        const list = await listRuns(store, { ...filter, workflowId });
        const rows = list.map(run => [
          run.id,
          run.workflow_instance_id,
          run.workflow_type,
          run.status,
          run.wait_kind,
          run.created_at,
        ]);
        context.print({ runs: list }, () =>
          formatTable(['run', 'workflow', 'type', 'status', 'waits for', 'created'], rows),
        );
      }),
    );
}

function addEnd(runs: Command, context: CliContext, kind: 'cancel' | 'terminate'): void {
  const end = kind === 'cancel' ? cancelRun : terminateRun;
  const command = runs.command(`${kind} <run-id>`).description(`${kind} a run; its children follow by their policies`);
  addExternalOptions(command)
    .addHelpText('after', `\nExample:\n  completiond runs ${kind} 01J8Z0M7T9… --reason 'the customer withdrew'`)
    .action((runId: string, options: ExternalOptions) =>
      context.withStore(async (store, settings) => {
        const outcome = await end(store, settings, runId, externalRequest(options));
        context.print(outcome, () => formatPairs(Object.entries(outcome)));
      }),
    );
}

/** `runs start|show|list|cancel|terminate`. */
export function addRuns(program: Command, context: CliContext): void {
  const runs = program
    .command('runs')
    .description('start, show, list and end runs')
    .addHelpText('after', '\nExample:\n  completiond runs list --status waiting');
  addStart(runs, context);
  addReads(runs, context);
  addEnd(runs, context, 'cancel');
  addEnd(runs, context, 'terminate');
}
