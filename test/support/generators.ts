import fc from 'fast-check';

type Json = Record<string, unknown>;

const name = fc.oneof(
  fc.constantFrom('a', 'step-1', 'Step-1', 'größe', '😀步', 'x'.repeat(255)),
  fc
    .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
    .filter(text => text.trim() === text && text !== '' && text.isWellFormed() && !text.includes('\u0000')),
);
const text = fc.oneof(name, fc.constant('two\nlines "quoted" \\ and \u2028 more'));
const blob = fc.oneof(
  text,
  fc.constant(''),
  fc.constant('{"a":[1,2,{"b":null}]}'),
  fc.nat(3_000).map(length => 'é"\\'.repeat(length)),
);
const payload = fc.oneof(blob, fc.record({ codec: fc.constantFrom('json', 'avro'), blob }));
const small = fc.nat(100_000);
const seconds = fc.integer({ min: 1, max: 100_000 });

/** Leaves a field out as often as not. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const defined = <T extends object>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<Json> =>
  arbitrary.map(value => Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)));

/** JSON as it is after a trip through its text, without what no database here keeps. */
const json = fc
  .oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>(null, { done: 3 }, [null, 1.5, 1e-7, 1e21]))
  .map(value => JSON.parse(JSON.stringify(value)) as unknown)
  .filter(value => !/\\u0000|\\ud[89a-f]|__proto__/i.test(JSON.stringify(value)));

const heartbeats = fc
  .array(fc.tuple(small, maybe(json)), { maxLength: 3 })
  .map(list =>
    list
      .toSorted(([a], [b]) => a - b)
      .map(([elapsed_ms, details]) => (details === undefined ? { elapsed_ms } : { elapsed_ms, details })),
  );

const exception = fc.oneof(payload, fc.constantFrom({}, { message: 'm', trace: ['a', { line: 1 }] }));

const names = { exception_type: maybe(name), exception_class: maybe(name) };
const evidence = {
  ...names,
  exception: maybe(exception),
};

const early = defined(
  fc.record({
    outcome: fc.constantFrom('failed', 'timed_out'),
    attempt_id: maybe(name),
    duration_ms: maybe(small),
    backoff_seconds: maybe(fc.nat(500)),
    message: maybe(text),
    retry_reason: maybe(fc.constantFrom('failure', 'timeout', 'cold_replay')),
    timeout_kind: maybe(fc.constantFrom('start_to_close', 'heartbeat')),
    heartbeats: maybe(heartbeats),
    ...evidence,
  }),
);

const last = (outcome: string) =>
  defined(
    fc.record({
      outcome: fc.constant(outcome),
      attempt_id: maybe(name),
      duration_ms: maybe(small),
      heartbeats: maybe(heartbeats),
    }),
  );

const ends: Record<string, fc.Arbitrary<Json>> = {
  completed: defined(fc.record({ result: maybe(payload) })),
  failed: defined(fc.record({ message: text, non_retryable: maybe(fc.boolean()), ...evidence })),
  timed_out: defined(
    fc.record({
      message: text,
      timeout_kind: fc.constantFrom('start_to_close', 'schedule_to_close', 'heartbeat'),
      non_retryable: maybe(fc.boolean()),
      ...evidence,
    }),
  ),
  cancelled: defined(fc.record({ message: text, ...evidence })),
};

/** A valid record, with retries, heartbeats and every outcome. */
export const recordCommand: fc.Arbitrary<Json> = fc
  .constantFrom('completed', 'completed', 'completed', 'failed', 'timed_out', 'cancelled')
  .chain(outcome =>
    fc
      .tuple(
        name,
        fc.array(early, { maxLength: 3 }),
        last(outcome),
        ends[outcome] as fc.Arbitrary<Json>,
        defined(
          fc.record({
            arguments: maybe(payload),
            payload_codec: maybe(fc.constantFrom('json', 'avro')),
            start_to_close_timeout: maybe(seconds),
            schedule_to_close_timeout: maybe(seconds),
            heartbeat_timeout: maybe(seconds),
            retry_policy: maybe(fc.constantFrom({ max_attempts: 4, backoff_seconds: [1, 2, 3] }, { max_attempts: 2 })),
          }),
        ),
      )
      .map(([activity_type, earlier, final, end, more]) => ({
        type: 'record_local_activity',
        activity_type,
        outcome,
        ...more,
        ...end,
        attempts: [...earlier, final].map((attempt, index) => ({ attempt_number: index + 1, ...attempt })),
      })),
  );

const attributeValue = fc.oneof(
  fc.constantFrom('a', 'some words', 12, true, false, null),
  fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
);
const document = <T>(value: fc.Arbitrary<T>) =>
  fc.dictionary(fc.constantFrom('one', 'two', 'three'), value, { minKeys: 1, maxKeys: 3 });

const steps: Record<string, fc.Arbitrary<Json>> = {
  record_side_effect: fc.record({ result: payload }),
  record_version_marker: fc.record({
    change_id: name,
    version: fc.integer({ min: -5, max: 9 }),
    min_supported: fc.nat(5),
    max_supported: fc.nat(9),
  }),
  upsert_search_attributes: fc.record({ attributes: document(attributeValue) }),
  upsert_memo: fc.record({ entries: document(fc.oneof(attributeValue, fc.constant({ deep: [1, { a: null }] }))) }),
  schedule_activity: defined(
    fc.record({
      activity_type: name,
      arguments: maybe(payload),
      retry_policy: maybe(fc.constant({ max_attempts: 3, backoff_seconds: [1, 2] })),
      start_to_close_timeout: maybe(seconds),
      schedule_to_close_timeout: maybe(seconds),
    }),
  ),
  start_timer: fc.record({ delay_seconds: fc.nat(100_000) }),
  open_condition_wait: defined(
    fc.record({
      condition_key: maybe(name),
      condition_definition_fingerprint: maybe(fc.constant(`sha256:${'0a'.repeat(32)}`)),
      timeout_seconds: maybe(fc.nat(1_000)),
    }),
  ),
  open_signal_wait: defined(fc.record({ signal_name: name, timeout_seconds: maybe(fc.nat(1_000)) })),
  start_child_workflow: defined(
    fc.record({
      workflow_type: name,
      arguments: maybe(payload),
      parent_close_policy: maybe(fc.constantFrom('abandon')),
      retry_policy: maybe(fc.constant({ max_attempts: 2 })),
      run_timeout_seconds: maybe(seconds),
    }),
  ),
  start_service_operation: defined(
    fc.record({
      endpoint_name: name,
      service_name: name,
      operation_name: name,
      request_payload: payload,
      mode_override: maybe(fc.constantFrom('sync', 'async')),
      wait_for: maybe(fc.constantFrom('accepted', 'completed')),
    }),
  ),
};

const stepCommand: fc.Arbitrary<Json> = fc.oneof(
  ...Object.entries(steps).map(([type, fields]) => fields.map(rest => ({ type, ...rest }))),
);

const terminalCommand: fc.Arbitrary<Json> = fc.oneof(
  defined(fc.record({ type: fc.constant('complete_workflow'), result: maybe(payload) })),
  defined(
    fc.record({ type: fc.constant('fail_workflow'), message: text, non_retryable: maybe(fc.boolean()), ...evidence }),
  ),
  defined(fc.record({ type: fc.constant('continue_as_new'), arguments: maybe(payload) })),
);

const updateAnswer = defined(
  fc.oneof(
    fc.record({ type: fc.constant('complete_update'), update_id: fc.constant(''), result: maybe(payload) }),
    fc.record({ type: fc.constant('fail_update'), update_id: fc.constant(''), message: text, ...names }),
  ),
);

/** Updates that are accepted before a generated completion; it answers some of them, `update_id` being filled in by the test. */
export const updatesBefore = 3;

const groupPath = fc.constantFrom(undefined, null, [], [0, { of: 'a' }]);

/** Puts what can be waited for together into one group, when there are at least two of it. */
function grouped(list: readonly Json[], path: unknown): Json[] {
  const kinds = ['schedule_activity', 'start_timer', 'start_child_workflow'];
  const parallel_group_size = list.filter(({ type }) => kinds.includes(String(type))).length;
  let index = 0;
  return list.map(command => {
    if (parallel_group_size < 2 || !kinds.includes(String(command.type))) return command;
    const group = { parallel_group_id: 'group', parallel_group_kind: 'all', parallel_group_size };
    return { ...command, ...group, parallel_group_index: index++, parallel_group_path: path };
  });
}

/** Valid command lists over all commands; mostly short, now and then of up to 400. */
export const commandLists: fc.Arbitrary<Json[]> = fc
  .tuple(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.array(fc.oneof({ weight: 3, arbitrary: recordCommand }, { weight: 2, arbitrary: stepCommand }), {
          minLength: 1,
          maxLength: 12,
        }),
      },
      { weight: 1, arbitrary: fc.array(recordCommand, { minLength: 90, maxLength: 400, size: 'max' }) },
    ),
    fc.array(updateAnswer, { maxLength: updatesBefore }),
    maybe(fc.tuple(terminalCommand, fc.nat())),
    fc.boolean(),
    groupPath,
  )
  .map(([list, answers, terminal, isGrouped, path]) => {
    const all = [...(isGrouped ? grouped(list, path) : list), ...answers];
    if (terminal !== undefined) all.splice(terminal[1] % (all.length + 1), 0, terminal[0]);
    return all;
  });
