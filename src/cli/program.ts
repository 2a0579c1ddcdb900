import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { packageRoot } from '../../config/package-root.ts';
import { addActivities } from './activities.ts';
import { addConfig } from './config.ts';
import { CliContext, type GlobalOptions } from './context.ts';
import { addDeadLetters } from './dead-letters.ts';
import { addDemo } from './demo.ts';
import { addEnqueue } from './enqueue.ts';
import { addHistory } from './history.ts';
import { addMigrate } from './migrate.ts';
import { addRuns } from './runs.ts';
import { addSend } from './send.ts';
import { addStart } from './start.ts';
import { addStatus } from './status.ts';
import { addTasks } from './tasks.ts';
import { addVerify } from './verify.ts';

/** Every command, in the order that the help shows them. */
const commands = [
  addDemo,
  addStart,
  addMigrate,
  addConfig,
  addStatus,
  addRuns,
  addTasks,
  addEnqueue,
  addSend,
  addHistory,
  addActivities,
  addDeadLetters,
  addVerify,
];

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** `--json` and `--config` may stand anywhere on the line; bad usage is one line with the way out. */
function addCommonParts(command: Command): void {
  command.option('--json', 'print one JSON document on standard output, and nothing else there');
  command.option('--config <file>', 'JSON file with settings; the environment wins over it');
  command.exitOverride();
  command.configureOutput({
    outputError: (text, write) => {
      const line = text.replace(/^error: |\.?\s*$/g, '').replaceAll('\n', ' ');
      write(`completiond: ${line}; see ${pathOf(command)} --help\n`);
    },
  });
  for (const child of command.commands) addCommonParts(child);
}

/** The whole command line; `parseAsync` of it runs one command, and throws what keeps it from its end. */
export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
  const program = new Command('completiond')
    .description('completions on a BullMQ queue become one database transaction each')
    .version(version)
    .addHelpText(
      'after',
      '\nExamples:\n  completiond demo\n  completiond start --migrate\n  completiond runs start --help',
    );
  let running = program;
  program.hook('preAction', (_, action) => {
    running = action;
  });
  const context = new CliContext(() => running.optsWithGlobals<GlobalOptions>());
  for (const add of commands) add(program, context);
  addCommonParts(program);
  return program;
}
