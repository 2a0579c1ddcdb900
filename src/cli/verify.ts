import type { Command } from 'commander';
import { verify } from '../store/verify.ts';
import type { CliContext } from './context.ts';
import { formatTable } from './table.ts';

/** `verify`: audits what is stored. */
export function addVerify(program: Command, context: CliContext): void {
  program
    .command('verify [run-id]')
    .description('audit what is stored, of all runs or of one; exits 1 when something is wrong')
    .addHelpText('after', '\nExample:\n  completiond verify')
    .action((runId: string | undefined) =>
      context.withStore(async store => {
        const audit = await verify(store, runId);
        const rows = audit.problems.map(({ run_id, problem, detail }) => [run_id, problem, detail]);
        const text = () =>
          rows.length === 0
            ? `${audit.runs} ${audit.runs === 1 ? 'run' : 'runs'}, nothing wrong`
            : formatTable(['run', 'problem', 'detail'], rows);
        context.print(audit, text);
        if (rows.length > 0) process.exitCode = 1;
      }),
    );
}
