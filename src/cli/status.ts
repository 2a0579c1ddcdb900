import type { Command } from 'commander';
import { openStore } from '../store/open-store.ts';
import type { CliContext } from './context.ts';
import { formatPairs } from './table.ts';

/** `status`: the queue's counts and the database's schema. */
export function addStatus(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('queue counts, the age of the oldest waiting job, database and schema version')
    .addHelpText('after', '\nExample:\n  completiond status --json')
    .action(async () => {
      const settings = context.settings();
      const { QueueAdmin } = await import('../queue/admin.ts');
      const admin = await QueueAdmin.connect(settings.queue);
      try {
        const queue = await admin.counts();
        const store = await openStore({ database: settings.database, connections: 1 });
        try {
          const { version, upToDate } = await store.schemaStatus();
          const database = { kind: store.kind, schema_version: version, up_to_date: upToDate };
          const pairs = [...Object.entries(queue), ...Object.entries(database)];
          context.print({ queue, database }, () => formatPairs(pairs));
        } finally {
          await store.close();
        }
      } finally {
        await admin.close();
      }
    });
}
