import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { completionIdOf, contentDigest, parseCompletion } from '../../src/completion/completion.ts';
import { Refusal, refusalStatuses } from '../../src/completion/refusal.ts';
import { recordCommand } from '../support/generators.ts';

const signalWait = { type: 'open_signal_wait', signal_name: 'go' };
const completion = { task_id: 't', lease_owner: 'w', workflow_task_attempt: 1, commands: [signalWait] };

/** The same value with the keys of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, child]) => [key, reordered(child)]),
  );
}

describe('the id of a completion', () => {
  it('is the SHA-256 of its canonical JSON behind c-, so that it is no number and has no colon', () => {
    const canonical =
      '{"commands":[{"signal_name":"go","type":"open_signal_wait"}],"lease_owner":"w","task_id":"t","workflow_task_attempt":1}';
    const expected = `c-${createHash('sha256').update(canonical).digest('hex')}`;
    assert.equal(completionIdOf(completion), expected);
    assert.equal(parseCompletion(JSON.stringify(completion)).completion_id, expected);
  });

  it('is its own where it has one, and does not change what its content is', () => {
    const parsed = parseCompletion(JSON.stringify({ ...completion, completion_id: 'own.id-1_2', traceparent: '00-x' }));
    assert.deepEqual(
      [parsed.completion_id, parsed.traceparent, parsed.contentDigest],
      ['own.id-1_2', '00-x', contentDigest(completion)],
    );
  });

  it('is refused by length and alphabet, and taken up to both', () => {
    const idOf = (completion_id: unknown) => parseCompletion(JSON.stringify({ ...completion, completion_id }));
    assert.equal(idOf('a'.repeat(128)).completion_id.length, 128);
    for (const id of ['', 'a'.repeat(129), 'a:b', 'a b', 'ä', 'a\n', 5, null])
      assert.throws(() => idOf(id), /completion_id: /, JSON.stringify(id));
  });

  it('of equal content is the same in any order of keys and any white space, whatever the content', () => {
    fc.assert(
      fc.property(fc.array(recordCommand, { minLength: 1, maxLength: 3 }), commands => {
        const content = { ...completion, commands };
        const other = JSON.parse(JSON.stringify(reordered(content), null, 3)) as object;
        assert.equal(completionIdOf(other), completionIdOf(content));
        assert.equal(parseCompletion(JSON.stringify(other)).contentDigest, contentDigest(content));
      }),
      { numRuns: 30 },
    );
  });

  it('of other content is another: other order, other claim, other numbers, a null in place of nothing', () => {
    const base = { type: 'record_side_effect', result: 'x' };
    const variants = [
      completion,
      { ...completion, task_id: 't2' },
      { ...completion, lease_owner: 'w2' },
      { ...completion, workflow_task_attempt: 2 },
      { ...completion, commands: [signalWait, base] },
      { ...completion, commands: [base, signalWait] },
      { ...completion, commands: [{ ...base, result: 'x ' }, signalWait] },
      { ...completion, commands: [{ ...signalWait, timeout_seconds: null }] },
      { ...completion, commands: [{ ...signalWait, timeout_seconds: 0 }] },
    ];
    assert.equal(new Set(variants.map(completionIdOf)).size, variants.length);
  });
});

describe('a completion that is read', () => {
  const only = (command: object) =>
    parseCompletion(JSON.stringify({ ...completion, commands: [command] })).commands[0]?.value as unknown as Record<
      string,
      unknown
    >;
  const record = { type: 'record_local_activity', activity_type: 'a', outcome: 'completed' };
  const attempts = [{ attempt_number: 1, outcome: 'completed' }];

  it('has its names trimmed, and takes 255 characters of any width', () => {
    assert.equal(only({ ...signalWait, signal_name: '\n step-1 \t' }).signal_name, 'step-1');
    for (const character of ['x', '步', '😀'])
      assert.equal(only({ ...signalWait, signal_name: character.repeat(255) }).signal_name, character.repeat(255));
  });

  it('takes null for absent in optional strings and payloads, and keeps payloads byte for byte', () => {
    const nulls = { message: null, exception_type: null, exception_class: null, result: null, arguments: null };
    const parsed = only({ ...record, ...nulls, attempts: [{ ...attempts[0], attempt_id: null, message: null }] });
    for (const field of Object.keys(nulls)) assert.equal(parsed[field], undefined, field);
    for (const result of ['', ' ', '{"b":1, "a":1}\r\n', { codec: 'avro', blob: ' \u2028' }])
      assert.deepEqual(only({ ...record, result, attempts }).result, result);
  });

  it('does not hold the number of attempts against max_attempts', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      attempt_number: index + 1,
      outcome: index < 8 ? 'failed' : 'completed',
    }));
    assert.equal(
      (only({ ...record, attempts: many, retry_policy: { max_attempts: 2 } }).attempts as object[]).length,
      9,
    );
  });
});

describe('a refusal', () => {
  it('has the status of its code', () => {
    const expected = {
      ...{ invalid_completion: 422, unstorable_text: 422, payload_too_large: 413, completion_budget_exceeded: 413 },
      ...{ task_not_found: 404, conflicting_completion: 409, task_not_leased: 409, lease_owner_mismatch: 409 },
      ...{ workflow_task_attempt_mismatch: 409, lease_expired: 409, run_closed: 409, run_timed_out: 409 },
      ...{ history_sequence_exhausted: 409, pending_limit_exceeded: 409, update_not_found: 409 },
      ...{ update_task_mismatch: 409, invalid_parallel_group: 409, retries_exhausted: 503, worker_crashed: 503 },
    };
    const statuses: Readonly<Record<string, number>> = refusalStatuses;
    for (const [code, status] of Object.entries(expected)) assert.equal(statuses[code], status, code);
    assert.equal(new Refusal('lease_expired', 'm').status, 409);
  });
});
