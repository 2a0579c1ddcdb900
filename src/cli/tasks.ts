import { type Command, Option } from 'commander';
import { claimTask } from '../transaction/claim-task.ts';
import { CliError } from './cli-error.ts';
import type { CliContext } from './context.ts';
import { positiveInteger } from './option-values.ts';
import { formatPairs } from './table.ts';

/** A year: longer ones are slips of the finger. */
const maxLeaseSeconds = 31_536_000;

interface ClaimOptions {
  readonly queue: string;
  readonly owner: string;
  readonly type: 'workflow' | 'activity';
  readonly leaseSeconds: number;
}

/** `tasks claim`: leases the next ready task of a queue. */
export function addTasks(program: Command, context: CliContext): void {
  program
    .command('tasks')
    .description('claim tasks')
    .addHelpText('after', '\nExample:\n  completiond tasks claim --queue orders --owner worker-1')
    .command('claim')
    .description('lease the next ready task of a queue, or one whose lease ran out')
    .requiredOption('--queue <queue>', 'queue of the task')
    .requiredOption('--owner <owner>', 'who holds the lease')
    .addOption(new Option('--type <type>', 'kind of task').choices(['workflow', 'activity']).default('workflow'))
    .option('--lease-seconds <n>', 'how long the lease lasts', positiveInteger(maxLeaseSeconds), 300)
    .addHelpText('after', '\nExample:\n  completiond tasks claim --queue orders --owner worker-1 --json')
    .action((options: ClaimOptions) =>
      context.withStore(async store => {
        const task = await claimTask(store, {
          queue: options.queue,
          lease_owner: options.owner,
          task_type: options.type,
          lease_seconds: options.leaseSeconds,
        });
        if (task === undefined) throw new CliError(`no ${options.type} task of queue ${options.queue} is ready`);
        context.print(task, () => formatPairs(Object.entries(task)));
      }),
    );
}
