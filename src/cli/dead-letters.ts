import type { Command } from 'commander';
import type { DeadLetter, DeadLetterFilter } from '../queue/dead-letters.ts';
import { CliError } from './cli-error.ts';
import type { CliContext } from './context.ts';
import { durationMs } from './option-values.ts';
import { formatTable } from './table.ts';

interface FilterOptions {
  readonly code?: string;
  readonly olderThan?: number;
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

function addFilterOptions(command: Command): Command {
  return command
    .option('--code <code>', 'those with this refusal code')
    .option('--older-than <age>', 'those that failed at least so long ago, like 90s, 15m, 1h or 7d', durationMs)
    .option('--all', 'all of them');
}

function filterOf(ids: readonly string[], { code, olderThan }: FilterOptions): DeadLetterFilter {
  return {
    ...(ids.length > 0 && { ids }),
    ...(code !== undefined && { code }),
    ...(olderThan !== undefined && { olderThanMs: olderThan }),
  };
}

const lettersOf = (count: number) => `${count} dead ${count === 1 ? 'letter' : 'letters'}`;

function table(jobs: readonly DeadLetter[], summary: string): string {
  if (jobs.length === 0) return summary;
  const rows = jobs.map(job => [job.completion_id, job.task_id, job.code, job.failed_at, job.message.slice(0, 80)]);
  return `${formatTable(['completion', 'task', 'code', 'failed', 'message'], rows)}\n${summary}`;
}

function addChange(group: Command, context: CliContext, verb: 'redrive' | 'discard', description: string): void {
  const command = group.command(`${verb} [ids...]`).description(description);
  addFilterOptions(command)
    .option('--dry-run', 'only say which')
    .addHelpText(
      'after',
      `\nExamples:\n  completiond dead-letters ${verb} --code lease_expired --older-than 1h --dry-run\n  completiond dead-letters ${verb} c-5f1e…`,
    )
    .action(async (ids: string[], options: FilterOptions) => {
      const filter = filterOf(ids, options);
      if (Object.keys(filter).length === 0 && !options.all)
        throw new CliError('say which dead letters: their ids, --code, --older-than or --all', 2);
      const { redriveDeadLetters, discardDeadLetters } = await import('../queue/dead-letters.ts');
      const change = verb === 'redrive' ? redriveDeadLetters : discardDeadLetters;
      const dryRun = options.dryRun ?? false;
      const jobs = await context.withQueue(admin => change(admin, filter, dryRun));
      const done = verb === 'redrive' ? 'redriven' : 'discarded';
      const summary = `${lettersOf(jobs.length)} ${dryRun ? `would be ${done}` : done}`;
      context.print({ count: jobs.length, dry_run: dryRun, jobs }, () => table(jobs, summary));
    });
}

/** `dead-letters list|show|redrive|discard`: jobs that were refused. */
export function addDeadLetters(program: Command, context: CliContext): void {
  const group = program
    .command('dead-letters')
    .description('refused jobs: list, show, redrive, discard')
    .addHelpText('after', '\nExample:\n  completiond dead-letters list');
  addFilterOptions(group.command('list').description('refused jobs, oldest first'))
    .addHelpText('after', '\nExample:\n  completiond dead-letters list --code conflicting_completion --older-than 1h')
    .action(async (options: FilterOptions) => {
      const { listDeadLetters } = await import('../queue/dead-letters.ts');
      const jobs = await context.withQueue(admin => listDeadLetters(admin, filterOf([], options)));
      context.print({ jobs }, () => table(jobs, lettersOf(jobs.length)));
    });
  group
    .command('show <id>')
    .description('one refused job with its data')
    .addHelpText('after', '\nExample:\n  completiond dead-letters show c-5f1e…')
    .action(async (id: string) => {
      const { showDeadLetter } = await import('../queue/dead-letters.ts');
      const letter = await context.withQueue(admin => showDeadLetter(admin, id));
      context.print(letter, () => JSON.stringify(letter, undefined, 2));
    });
  addChange(group, context, 'redrive', 'put refused jobs back into the queue: same id, same data');
  addChange(group, context, 'discard', 'remove refused jobs for good');
}
