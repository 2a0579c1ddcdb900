import assert from 'node:assert/strict';
import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program.ts';
import { assertOneLine, runCommand } from '../support/command-line.ts';

interface Named {
  readonly name: string;
  readonly command: Command;
}

function all(command: Command, path: readonly string[] = []): Named[] {
  const name = [...path, command.name()];
  return [{ name: name.join(' '), command }, ...command.commands.flatMap(child => all(child, name))];
}

function helpOf(command: Command): string {
  const parts: string[] = [];
  command.configureOutput({ writeOut: text => void parts.push(text) }).outputHelp();
  return parts.join('');
}

describe('the help of the command line', () => {
  for (const { name, command } of all(createProgram()))
    it(`describes ${name} and its options, with an example`, () => {
      assert.notEqual(command.description(), '');
      for (const option of command.options) assert.notEqual(option.description, '', option.flags);
      const example = command.commands.length === 0 ? name : 'completiond';
      assert.match(helpOf(command), new RegExp(`\nExamples?:\n(.*\n)*  .*\\b${example}\\b`));
    });
});

describe('bad usage', () => {
  for (const [args, message] of [
    [['dance'], /unknown command 'dance'; see completiond --help/],
    [['verfy'], /Did you mean verify\?.*; see completiond --help/],
    [['runs', 'sart'], /Did you mean start\?.*; see completiond runs --help/],
    [['runs', 'start', '--type', 'x'], /--queue <queue>.*; see completiond runs start --help/],
    [['runs', 'start', '--typ', 'x', '--queue', 'q', '--type', 'y'], /Did you mean --type\?/],
    [['runs', 'list', '--status', 'open'], /Allowed choices are pending, .*; see completiond runs list --help/],
    [['runs', 'list', '--limit', '5000'], /1 to 1000; see/],
    [['history'], /'run-id'; see completiond history --help/],
    [['history', 'R', '--after', '-1'], /expected a history sequence/],
    [['history', 'R', '--after', '9223372036854775808'], /expected a history sequence/],
    [['history', 'R', '--limit', '1.5'], /whole number, 1 or more/],
    [['tasks', 'claim', '--queue', 'q', '--owner', 'w', '--lease-seconds', 'many'], /whole number/],
    [['tasks', 'claim', '--queue', 'q', '--owner', 'w', '--type', 'timer'], /Allowed choices are workflow, activity/],
    [['enqueue', 'FILE', '--timeout-ms', '0'], /whole number/],
    [['enqueue', '/no/such/file'], /\/no\/such\/file: ENOENT/],
    [['dead-letters', 'list', '--older-than', '5'], /like 90s, 15m, 1h or 7d/],
    [['dead-letters', 'redrive'], /their ids, --code, --older-than or --all/],
    [['dead-letters', 'discard', '--dry-run'], /their ids, --code, --older-than or --all/],
    [['demo', '--records', '1000'], /1 to 999/],
    [['config', 'more'], /too many arguments/],
  ] as const)
    it(`is one line with the way out: ${args.join(' ')}`, async () => {
      const ran = await runCommand(args, {});
      assertOneLine(ran, 2, args.join(' '));
      assert.match(ran.err, message);
    });
});
