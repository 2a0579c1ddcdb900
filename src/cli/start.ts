import type { Command } from 'commander';
import type { CliContext } from './context.ts';

/** A second signal, or a stop that hangs behind the grace time and this much more, ends the process as it is. */
const hardDeadlineExtraMs = 5_000;

/** `start`: the daemon. */
export function addStart(program: Command, context: CliContext): void {
  program
    .command('start')
    .description('run the daemon until SIGTERM or SIGINT; a second signal ends it at once')
    .option('--migrate', "bring the database's schema up to date first; the embedded defaults do so anyway")
    .addHelpText('after', '\nExample:\n  COMPLETIOND_QUEUE_URL=redis://localhost completiond start --migrate')
    .action(async (options: { migrate?: boolean }) => {
      const settings = context.settings();
      const { startDaemon } = await import('../daemon/daemon.ts');
      const migrate = options.migrate ?? settings.database.url.startsWith('sqlite:');
      const stopping = stopSignal();
      const daemon = await startDaemon(settings, { migrate });
      try {
        await Promise.race([stopping, daemon.started]);
        await stopping;
      } finally {
        setTimeout(() => process.exit(1), settings.shutdownGraceMs + hardDeadlineExtraMs).unref();
        for (const signal of signals) process.on(signal, () => process.exit(1));
        await daemon.stop();
      }
    });
}

const signals = ['SIGTERM', 'SIGINT'] as const;

function stopSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of signals) process.once(signal, () => resolve());
  });
}
