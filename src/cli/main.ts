#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { packageRoot } from '../../config/package-root.ts';
import { explainError } from './cli-error.ts';
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
  addDeadLetters,
  addVerify,
];

/** `--json` and `--config` may stand anywhere on the line. */
function addGlobalOptions(command: Command): void {
  command.option('--json', 'print one JSON document on standard output, and nothing else there');
  command.option('--config <file>', 'JSON file with settings; the environment wins over it');
  command.exitOverride();
  for (const child of command.commands) addGlobalOptions(child);
}

const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
const program = new Command('completiond')
  .description('completions on a BullMQ queue become one database transaction each')
  .version(version);
let running: Command = program;
program.hook('preAction', (_, action) => {
  running = action;
});
const context = new CliContext(() => running.optsWithGlobals<GlobalOptions>());
for (const add of commands) add(program, context);
addGlobalOptions(program);

process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    const { message, exitCode } = explainError(error);
    process.stderr.write(`completiond: ${message}\n`);
    process.exitCode = exitCode;
  }
}
// A command ends when it is done, whatever a driver still holds open.
process.stdout.write('', () => process.exit());
