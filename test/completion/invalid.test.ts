import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseCompletion } from '../../src/completion/completion.ts';
import { Refusal } from '../../src/completion/refusal.ts';
import { recordCommand } from '../support/generators.ts';
import { invalidCommands, invalidLists } from '../support/invalid-completions.ts';

const claim = { task_id: 't', lease_owner: 'w', workflow_task_attempt: 1 };

/** The paths that the refusal of a completion names, in order. */
function namedPaths(commands: readonly unknown[], more: object = {}): string[] {
  try {
    parseCompletion(JSON.stringify({ ...claim, commands, ...more }));
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.code, 'invalid_completion');
    const named = error.message.split('; ').map(problem => problem.slice(0, problem.indexOf(': ')));
    return [...new Set(named)];
  }
  return [];
}

describe('a completion that is invalid', () => {
  for (const [index, { title, command, paths }] of invalidCommands.entries())
    it(`by ${title} is refused by exactly its paths: ${paths.join(', ')} (${index + 1})`, () => {
      assert.deepEqual(namedPaths([command]).toSorted(), paths.map(path => `commands.0.${path}`).toSorted());
    });

  it('in many places names every one of them in one message, and nothing of its valid commands', () => {
    fc.assert(
      fc.property(invalidLists(recordCommand), ({ commands, paths }) => {
        assert.deepEqual(namedPaths(commands).toSorted(), paths.toSorted());
      }),
      { numRuns: 200 },
    );
  });

  it('in its envelope and in its commands names both', () => {
    const paths = namedPaths([{ type: 'fail_workflow' }], { task_id: ' ', colour: 1, completion_id: 'a:b' });
    assert.deepEqual(paths.toSorted(), ['colour', 'commands.0.message', 'completion_id', 'task_id']);
  });

  it('by two terminal commands names each behind the first, wherever they stand', () => {
    const end = { type: 'complete_workflow' };
    const step = { type: 'start_timer', delay_seconds: 1 };
    assert.deepEqual(namedPaths([end, step, { type: 'continue_as_new' }, end]), ['commands.2.type', 'commands.3.type']);
  });

  it('by commands of no kind names their types', () => {
    const commands = [
      null,
      5,
      'x',
      [],
      {},
      { type: 5 },
      { type: 'dance' },
      { type: '__proto__' },
      { type: 'constructor' },
    ];
    assert.deepEqual(
      namedPaths(commands),
      commands.map((_, index) => `commands.${index}.type`),
    );
  });

  it('by its number of commands is refused at 0 and at 1,001, and is not at 1,000', () => {
    const timers = (length: number) => Array.from({ length }, () => ({ type: 'start_timer', delay_seconds: 1 }));
    assert.deepEqual(namedPaths([]), ['commands']);
    assert.deepEqual(namedPaths(timers(1_001)), ['commands']);
    assert.deepEqual(namedPaths(timers(1_000)), []);
  });

  it('by being no JSON object is refused, not thrown on', () => {
    for (const json of ['', '{', 'null', '5', '[]', '"x"', '{}'])
      assert.throws(
        () => parseCompletion(json),
        (error: unknown) => error instanceof Refusal && error.code === 'invalid_completion',
        json,
      );
  });
});
