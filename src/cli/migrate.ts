import type { Command } from 'commander';
import type { CliContext } from './context.ts';

/** `migrate`: brings the database's schema up to date. */
export function addMigrate(program: Command, context: CliContext): void {
  program
    .command('migrate')
    .description("bring the database's schema up to date; safe when many start it at once")
    .option('--status', 'only say which version the schema has')
    .addHelpText('after', '\nExample:\n  COMPLETIOND_DATABASE_URL=postgres://db/workflows completiond migrate')
    .action((options: { status?: boolean }) =>
      context.withDatabase(async store => {
        const { version, latest, upToDate } = options.status ? await store.schemaStatus() : await store.migrate();
        const document = { kind: store.kind, schema_version: version, latest, up_to_date: upToDate };
        context.print(
          document,
          () => `${store.kind}: schema version ${version} of ${latest}${upToDate ? ', up to date' : ''}`,
        );
        if (!upToDate) process.exitCode = 1;
      }),
    );
}
