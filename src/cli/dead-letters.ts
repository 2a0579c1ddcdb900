import type { Command } from 'commander';
import type { QueueAdmin } from '../queue/admin.ts';
import type { DeadLetter, DeadLetterFilter } from '../queue/dead-letters.ts';
import { CliError } from './cli-error.ts';
import { type CliContext, positiveInteger } from './context.ts';
import { formatTable } from './table.ts';

interface FilterOptions {
  readonly code?: string;
  readonly olderThanSeconds?: number;
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

function filterOf(ids: readonly string[], options: FilterOptions): DeadLetterFilter {
  return {
    ...(ids.length > 0 && { ids }),
    ...(options.code !== undefined && { code: options.code }),
    ...(options.olderThanSeconds !== undefined && { olderThanMs: options.olderThanSeconds * 1_000 }),
  };
}

async function withAdmin<T>(context: CliContext, work: (admin: QueueAdmin) => Promise<T>): Promise<T> {
  const { QueueAdmin } = await import('../queue/admin.ts');
  const admin = await QueueAdmin.connect(context.settings().queue);
  try {
    return await work(admin);
  } finally {
    await admin.close();
  }
}

function print(context: CliContext, jobs: readonly DeadLetter[], extra: object = {}): void {
  const rows = jobs.map(job => [job.completion_id, job.task_id, job.code, job.failed_at, job.message.slice(0, 80)]);
  context.print({ ...extra, jobs }, () => formatTable(['completion', 'task', 'code', 'failed', 'message'], rows));
}

function addChange(group: Command, context: CliContext, verb: 'redrive' | 'discard', description: string): void {
  group
    .command(`${verb} [ids...]`)
    .description(description)
    .option('--code <code>', 'those with this refusal code')
    .option('--older-than-seconds <n>', 'those that failed at least so long ago', positiveInteger)
    .option('--all', 'all of them')
    .option('--dry-run', 'only say which')
    .addHelpText('after', `\nExample:\n  completiond dead-letters ${verb} --code lease_expired --dry-run`)
    .action(async (ids: string[], options: FilterOptions) => {
      const filter = filterOf(ids, options);
      if (Object.keys(filter).length === 0 && !options.all)
        throw new CliError('say which: ids, --code, --older-than-seconds or --all', 2);
      const { redriveDeadLetters, discardDeadLetters } = await import('../queue/dead-letters.ts');
      const change = verb === 'redrive' ? redriveDeadLetters : discardDeadLetters;
      const jobs = await withAdmin(context, admin => change(admin, filter, options.dryRun ?? false));
      print(context, jobs, { count: jobs.length, dry_run: options.dryRun ?? false });
    });
}

/** `dead-letters list|show|redrive|discard`: jobs that were refused. */
export function addDeadLetters(program: Command, context: CliContext): void {
  const group = program.command('dead-letters').description('refused jobs: list, show, redrive, discard');
  group
    .command('list')
    .description('refused jobs, oldest first')
    .option('--code <code>', 'those with this refusal code')
    .option('--older-than-seconds <n>', 'those that failed at least so long ago', positiveInteger)
    .addHelpText('after', '\nExample:\n  completiond dead-letters list --code conflicting_completion')
    .action(async (options: FilterOptions) => {
      const { listDeadLetters } = await import('../queue/dead-letters.ts');
      print(context, await withAdmin(context, admin => listDeadLetters(admin, filterOf([], options))));
    });
  group
    .command('show <id>')
    .description('one refused job with its data')
    .addHelpText('after', '\nExample:\n  completiond dead-letters show c-5f1e…')
    .action(async (id: string) => {
      const { showDeadLetter } = await import('../queue/dead-letters.ts');
      const letter = await withAdmin(context, admin => showDeadLetter(admin, id));
      context.print(letter, () => JSON.stringify(letter, undefined, 2));
    });
  addChange(group, context, 'redrive', 'put refused jobs back into the queue: same id, same data');
  addChange(group, context, 'discard', 'remove refused jobs for good');
}
