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

const heartbeats = fc
  .array(
    fc.tuple(small, maybe(fc.oneof(fc.jsonValue({ maxDepth: 2 }).filter(isStorableJson), fc.constant({ done: 3 })))),
    { maxLength: 3 },
  )
  .map(list =>
    list
      .toSorted(([a], [b]) => a - b)
      .map(([elapsed_ms, details]) =>
        details === undefined || details === null ? { elapsed_ms } : { elapsed_ms, details },
      ),
  );

function isStorableJson(value: unknown): boolean {
  const json = JSON.stringify(value);
  return json !== undefined && !/\\u0000|\\ud[89a-f]/i.test(json) && !/[eE][+-]?\d|__proto__|-0\b|\d\.\d/.test(json);
}

const evidence = {
  exception_type: maybe(name),
  exception_class: maybe(name),
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
    fc.record({ message: text, timeout_kind: fc.constantFrom('start_to_close', 'schedule_to_close', 'heartbeat') }),
  ),
  cancelled: defined(fc.record({ message: text })),
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
            start_to_close_timeout: maybe(seconds),
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
    fc.record({ type: fc.constant('fail_update'), update_id: fc.constant(''), message: text, ...evidence }),
  ),
);

/** Updates that are accepted before a generated completion; it answers some of them, `update_id` being filled in by the test. */
export const updatesBefore = 3;

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
  )
  .map(([list, answers, terminal]) => {
    const all = [...list, ...answers];
    if (terminal !== undefined) all.splice(terminal[1] % (all.length + 1), 0, terminal[0]);
    return all;
  });
