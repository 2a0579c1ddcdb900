import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseCompletion } from '../../src/completion/completion.ts';
import { Refusal } from '../../src/completion/refusal.ts';
import { isStorable, mayHoldUnstorableText, unstorablePaths } from '../../src/completion/text.ts';

const record = (more: object) => ({
  type: 'record_local_activity',
  activity_type: 'a',
  outcome: 'completed',
  attempts: [{ attempt_number: 1, outcome: 'completed' }],
  ...more,
});
const json = (...commands: object[]) =>
  JSON.stringify({ task_id: 't', lease_owner: 'w', workflow_task_attempt: 1, commands });

/** The message of the refusal of a completion as `unstorable_text`; empty when it was taken. */
function refusalOf(text: string): string {
  try {
    parseCompletion(text);
    return '';
  } catch (error) {
    assert.ok(error instanceof Refusal && error.code === 'unstorable_text', String(error));
    return error.message;
  }
}

describe('text that not every database can store', () => {
  const bad = ['\u0000', 'a\u0000b', '\ud800', 'a\udfffb', '\udc00\ud800', '\ud83d', '😀\ud83d'];

  it('is U+0000 and any surrogate without its other half; a whole pair is text', () => {
    for (const text of bad) assert.equal(isStorable(text), false, JSON.stringify(text));
    for (const text of ['', '😀', '\ud83d\ude00', '\uffff', '\u0001', '\\u0000', 'a\u2028b', '\ufeff'])
      assert.equal(isStorable(text), true, JSON.stringify(text));
  });

  it('is refused wherever it stands in a completion, by its path', () => {
    for (const text of bad) {
      const heartbeats = [{ elapsed_ms: 1, details: { deep: ['x', { more: text }] } }];
      const attempts = [{ attempt_number: 1, outcome: 'completed', attempt_id: `w${text}`, heartbeats }];
      const places: readonly (readonly [object, string])[] = [
        [record({ activity_type: `a${text}` }), 'commands.0.activity_type'],
        [record({ result: text }), 'commands.0.result'],
        [record({ arguments: { codec: 'json', blob: text } }), 'commands.0.arguments.blob'],
        [record({ exception: { trace: [text] } }), 'commands.0.exception.trace.0'],
        [{ type: 'upsert_memo', entries: { note: { a: text } } }, 'commands.0.entries.note.a'],
      ];
      for (const [command, path] of places) {
        const message = refusalOf(json(command));
        assert.ok(message.endsWith(` at ${path}`), `${path}: ${message}`);
      }
      const both = refusalOf(json(record({ attempts })));
      for (const path of ['attempts.0.attempt_id', 'attempts.0.heartbeats.0.details.deep.1.more'])
        assert.ok(both.includes(`commands.0.${path}`), both);
    }
  });

  it('is refused as the key of an object too, without repeating it in the message', () => {
    const message = refusalOf(json({ type: 'upsert_memo', entries: { note: { 'a\u0000b': 1 } } }));
    assert.ok(message.includes('commands.0.entries.note.(a key)'), message);
    assert.ok(isStorable(message));
  });

  it('is not seen where an escaped backslash only looks like it', () => {
    assert.equal(refusalOf(json(record({ result: String.raw`\u0000 \ud800` }))), '');
    assert.equal(refusalOf(json(record({ result: '😀'.repeat(1_000) }))), '');
  });

  it('is never passed over by the fast look at the raw JSON, whatever the text', () => {
    const unit = fc.oneof(fc.constantFrom('\u0000', '\ud800', '\udfff', '😀', '\\', 'u', '0', 'd8'), fc.string());
    fc.assert(
      fc.property(
        fc.array(unit).map(parts => parts.join('')),
        text => {
          if (unstorablePaths({ text }).length > 0) assert.ok(mayHoldUnstorableText(JSON.stringify({ text })));
          assert.equal(unstorablePaths({ text }).length === 0, isStorable(text));
        },
      ),
      { numRuns: 300 },
    );
  });
});
