#!/usr/bin/env node
import { CommanderError } from 'commander';
import { explainError } from './cli-error.ts';
import { createProgram } from './program.ts';

// A reader that has seen enough, like `head`, is no failure.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await createProgram().parseAsync();
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
