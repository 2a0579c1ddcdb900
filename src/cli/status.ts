import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { formatPairs } from './table.ts';

/** `status`: the queue's counts and the database's schema. */
export function addStatus(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('queue counts, the age of the oldest waiting job, database and schema version')
    .addHelpText('after', '\nExample:\n  completiond status --json')
    .action(async () => {
      const queue = await context.withQueue(admin => admin.counts());
      const database = await context.withDatabase(async store => {
        const { version, upToDate } = await store.schemaStatus();
        return { kind: store.kind, schema_version: version, up_to_date: upToDate };
      });
      const pairs = [...Object.entries(queue), ...Object.entries(database)];
      context.print({ queue, database }, () => formatPairs(pairs));
    });
}
