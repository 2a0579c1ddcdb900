import assert from 'node:assert/strict';
import { commandDefinitions } from '../../src/commands/index.ts';
import { parseCompletion } from '../../src/completion/completion.ts';
import type { ActivityCompletionInput, CommandInput, CommandInputOf, CompletionInput } from '../../src/index.ts';

/** One of every type, so that the compiler misses a type that is not a member, and this test one that is not here. */
const commands: { readonly [T in CommandInput['type']]: CommandInputOf<T> } = {
  record_local_activity: {
    type: 'record_local_activity',
    activity_type: 'price.compute',
    outcome: 'completed',
    result: { codec: 'json', blob: '{"cents":1999}' },
    attempts: [{ attempt_number: 1, outcome: 'completed', duration_ms: 12, heartbeats: [{ elapsed_ms: 3 }] }],
  },
  record_side_effect: { type: 'record_side_effect', result: '"seed"' },
  record_version_marker: {
    type: 'record_version_marker',
    change_id: 'c',
    version: 1,
    min_supported: 1,
    max_supported: 2,
  },
  upsert_search_attributes: { type: 'upsert_search_attributes', attributes: { total: 3, tags: ['a'], old: null } },
  upsert_memo: { type: 'upsert_memo', entries: { note: { by: ['me', 1, null] } } },
  schedule_activity: { type: 'schedule_activity', activity_type: 'a', retry_policy: { backoff_seconds: [1, 2] } },
  start_timer: { type: 'start_timer', delay_seconds: 5 },
  open_condition_wait: { type: 'open_condition_wait', condition_key: 'k', timeout_seconds: 5 },
  open_signal_wait: { type: 'open_signal_wait', signal_name: 'approved' },
  start_child_workflow: { type: 'start_child_workflow', workflow_type: 'child', parent_close_policy: 'terminate' },
  complete_update: { type: 'complete_update', update_id: 'u', result: '1' },
  fail_update: { type: 'fail_update', update_id: 'v', message: 'no' },
  start_service_operation: {
    type: 'start_service_operation',
    endpoint_name: 'e',
    service_name: 's',
    operation_name: 'o',
    request_payload: '{}',
  },
  complete_workflow: { type: 'complete_workflow', result: '1' },
  fail_workflow: { type: 'fail_workflow', message: 'no', exception: { class: 'E' } },
  continue_as_new: { type: 'continue_as_new', arguments: '[]' },
};

const claim = { task_id: 'T', lease_owner: 'w', workflow_task_attempt: 1 } as const;

describe('the types of a completion', () => {
  it('name every command', () => assert.deepEqual(Object.keys(commands), [...commandDefinitions.keys()]));

  for (const command of Object.values(commands))
    it(`take a ${command.type} that the schema takes`, () => {
      const completion: CompletionInput = { ...claim, commands: [command] };
      assert.equal(parseCompletion(JSON.stringify(completion)).commands.length, 1);
    });

  it('refuse what the schema refuses, when it is compiled', () => {
    const wrong: readonly CommandInput[] = [
      // @ts-expect-error: no such type
      { type: 'dance' },
      // @ts-expect-error: its delay is missing
      { type: 'start_timer' },
      // @ts-expect-error: seconds are a number
      { type: 'start_timer', delay_seconds: '5' },
      // @ts-expect-error: an unknown field
      { type: 'open_signal_wait', signal_name: 'x', signal: 'y' },
      // @ts-expect-error: no such outcome
      { type: 'record_local_activity', activity_type: 'a', outcome: 'done', attempts: [] },
      // @ts-expect-error: a codec without its text
      { type: 'record_side_effect', result: { codec: 'json' } },
    ];
    for (const command of wrong)
      assert.throws(
        () => parseCompletion(JSON.stringify({ ...claim, commands: [command] })),
        /invalid_completion|commands\.0/,
      );
    // @ts-expect-error: a completion has commands
    const none: CompletionInput = { ...claim };
    assert.throws(() => parseCompletion(JSON.stringify(none)), /commands/);
  });

  it('know the end of an activity', () => {
    const end: ActivityCompletionInput = {
      task_id: 'T',
      lease_owner: 'w',
      activity_task_attempt: 1,
      outcome: 'completed',
      result: '1',
    };
    assert.equal(end.outcome, 'completed');
    // @ts-expect-error: its attempt is missing
    const bad: ActivityCompletionInput = { task_id: 'T', lease_owner: 'w', outcome: 'completed' };
    assert.ok(bad);
  });
});
