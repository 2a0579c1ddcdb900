import type { Command } from 'commander';
import { maskSettings } from '../../config/mask.ts';
import { environmentName, settingLeaves } from '../../config/setting-leaves.ts';
import { valueAt } from '../../config/tree.ts';
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
      const rows = settingLeaves().map(({ path }) => [path.join('.'), valueAt(masked, path), environmentName(path)]);
      context.print(masked, () => formatTable(['setting', 'value', 'environment'], rows));
    });
}
