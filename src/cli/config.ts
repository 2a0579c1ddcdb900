import type { Command } from 'commander';
import { environmentName, maskSettings, settingLeaves } from '../../config/load.ts';
import type { CliContext } from './context.ts';
import { formatTable } from './table.ts';

/** `config`: the settings in force, secrets masked. */
export function addConfig(program: Command, context: CliContext): void {
  program
    .command('config')
    .description('the settings in force, secrets masked')
    .addHelpText('after', '\nExample:\n  COMPLETIOND_THREADS=4 completiond config')
    .action(() => {
      const masked = maskSettings(context.settings());
      const rows = settingLeaves().map(({ path }) => {
        const value = path.reduce<unknown>((tree, key) => (tree as Record<string, unknown> | undefined)?.[key], masked);
        return [path.join('.'), value, environmentName(path)];
      });
      context.print(masked, () => formatTable(['setting', 'value', 'environment'], rows));
    });
}
