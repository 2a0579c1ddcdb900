import fc from 'fast-check';

type Json = Record<string, unknown>;

/** A command that breaks rules, with the paths inside it that a refusal must name: all of them, and no other. */
export interface InvalidCommand {
  readonly title: string;
  readonly command: Json;
  readonly paths: readonly string[];
}

const base: Json = {
  type: 'record_local_activity',
  activity_type: 'a',
  outcome: 'completed',
  attempts: [{ attempt_number: 1, outcome: 'completed' }],
};
const retried: Json = {
  ...base,
  attempts: [
    { attempt_number: 1, outcome: 'failed' },
    { attempt_number: 2, outcome: 'completed' },
  ],
};
const ended = (outcome: string, more: Json = {}): Json => ({
  ...base,
  outcome,
  message: 'm',
  attempts: [{ attempt_number: 1, outcome }],
  ...more,
});
const attempt = (more: Json): Json => ({ ...base, attempts: [{ attempt_number: 1, outcome: 'completed', ...more }] });
const early = (more: Json): Json => ({
  ...retried,
  attempts: [
    { attempt_number: 1, outcome: 'failed', ...more },
    { attempt_number: 2, outcome: 'completed' },
  ],
});
const policy = (retry_policy: Json): Json => ({ ...base, retry_policy });
const row = (title: string, command: Json, ...paths: string[]): InvalidCommand => ({ title, command, paths });

const notNames = [' ', '', 5, true, ['a'], {}, 'x'.repeat(256), '😀'.repeat(256)];
const notSeconds = [0, -1, 1.5, '5', true, 2 ** 31];
const notMilliseconds = [-1, 1.5, '5', null, 2 ** 31];
const notBooleans = [0, 1, 'true', null];

const records: InvalidCommand[] = [
  ...notNames.map(value => row('no name', { ...base, activity_type: value }, 'activity_type')),
  row('a missing name', { ...base, activity_type: undefined }, 'activity_type'),
  row('a null name', { ...base, activity_type: null }, 'activity_type'),
  ...['exception_type', 'exception_class'].flatMap(field => [
    ...notNames.map(value => row(`no ${field}`, { ...base, [field]: value }, field)),
    ...notNames.map(value => row(`no ${field} of an attempt`, attempt({ [field]: value }), `attempts.0.${field}`)),
  ]),
  ...[' ', '', 5, {}].flatMap(message => [
    row('a bad message', { ...base, message }, 'message'),
    row('a bad message of an attempt', early({ message }), 'attempts.0.message'),
  ]),
  ...notNames.map(value => row('no attempt_id', attempt({ attempt_id: value }), 'attempts.0.attempt_id')),
  ...notBooleans.flatMap(value => [
    row('no flag', { ...base, non_retryable: value }, 'non_retryable'),
    row('no flag of an attempt', attempt({ non_retryable: value }), 'attempts.0.non_retryable'),
  ]),
  ...['start_to_close_timeout', 'schedule_to_close_timeout', 'heartbeat_timeout'].flatMap(field =>
    notSeconds.map(value => row(`no ${field}`, { ...base, [field]: value }, field)),
  ),
  ...['queue', 'connection', 'worker_session', 'schedule_to_start_timeout', 'colour'].map(field =>
    row(`a field ${field}`, { ...base, [field]: 'x' }, field),
  ),
  row('a field of an attempt', attempt({ colour: 'x' }), 'attempts.0.colour'),
  row(
    'a field of a heartbeat',
    attempt({ heartbeats: [{ elapsed_ms: 1, colour: 1 }] }),
    'attempts.0.heartbeats.0.colour',
  ),
  row('a field of a policy', policy({ colour: 1 }), 'retry_policy.colour'),
  row('an unknown outcome', { ...base, outcome: 'won' }, 'outcome'),
  row('no outcome', { ...base, outcome: undefined }, 'outcome'),
  row('no attempts', { ...base, attempts: [] }, 'attempts'),
  row('attempts left out', { ...base, attempts: undefined }, 'attempts'),
  row('attempts that are no list', { ...base, attempts: {} }, 'attempts'),
  ...[0, 2, -1, '1', 1.5, null].map(value =>
    row(`attempt number ${String(value)}`, attempt({ attempt_number: value }), 'attempts.0.attempt_number'),
  ),
  row('another end than the last attempt', ended('failed', { attempts: base.attempts }), 'attempts.0.outcome'),
  ...['completed', 'cancelled'].map(outcome => row(`an early ${outcome}`, early({ outcome }), 'attempts.0.outcome')),
  ...['failed', 'cancelled'].flatMap(outcome => [
    row(`${outcome} without a message`, ended(outcome, { message: undefined }), 'message'),
    row(`${outcome} with a null message`, ended(outcome, { message: null }), 'message'),
    row(`${outcome} with a result`, ended(outcome, { result: 'x' }), 'result'),
  ]),
  row('timed out without a kind', ended('timed_out'), 'timeout_kind'),
  row('timed out without anything', ended('timed_out', { message: undefined }), 'message', 'timeout_kind'),
  row('an unknown kind', ended('timed_out', { timeout_kind: 'schedule_to_start' }), 'timeout_kind'),
  row('an unknown reason', early({ retry_reason: 'mood' }), 'attempts.0.retry_reason'),
  ...notMilliseconds.map(value => row('no duration', attempt({ duration_ms: value }), 'attempts.0.duration_ms')),
  ...[-1, 1.5, '5', null].map(value =>
    row('no backoff', early({ backoff_seconds: value }), 'attempts.0.backoff_seconds'),
  ),
  ...notMilliseconds.map(value =>
    row('no elapsed time', attempt({ heartbeats: [{ elapsed_ms: value }] }), 'attempts.0.heartbeats.0.elapsed_ms'),
  ),
  row(
    'heartbeats that go back twice',
    attempt({ heartbeats: [5, 4, 6, 5].map(elapsed_ms => ({ elapsed_ms })) }),
    'attempts.0.heartbeats.1.elapsed_ms',
    'attempts.0.heartbeats.3.elapsed_ms',
  ),
  ...[0, -1, 1.5, '2'].map(value =>
    row('no max_attempts', policy({ max_attempts: value }), 'retry_policy.max_attempts'),
  ),
  row('a backoff without attempts for it', policy({ backoff_seconds: [1] }), 'retry_policy.backoff_seconds'),
  row(
    'backoffs over the attempts',
    policy({ max_attempts: 2, backoff_seconds: [1, 2] }),
    'retry_policy.backoff_seconds',
  ),
  row('a negative backoff', policy({ max_attempts: 3, backoff_seconds: [1, -2] }), 'retry_policy.backoff_seconds.1'),
  row('a blank type', policy({ non_retryable_error_types: ['X', ' '] }), 'retry_policy.non_retryable_error_types.1'),
  row('a type twice', policy({ non_retryable_error_types: ['X', 'X '] }), 'retry_policy.non_retryable_error_types.1'),
  ...[5, [], { blob: 'x' }, { codec: 'json' }, { codec: 'json', blob: 5 }].flatMap(value => [
    row('no result', { ...base, result: value }, 'result'),
    row('no arguments', { ...base, arguments: value }, 'arguments'),
  ]),
  row('a field of a payload', { ...base, result: { codec: 'json', blob: 'x', more: 1 } }, 'result.more'),
];

const fingerprint = 'condition_definition_fingerprint';
const versions = { type: 'record_version_marker', change_id: 'c', version: 1, min_supported: 1, max_supported: 1 };
const steps: InvalidCommand[] = [
  row('no side effect', { type: 'record_side_effect' }, 'result'),
  ...['version', 'min_supported', 'max_supported'].flatMap(field =>
    ['1', 1.5, null, undefined].map(value => row(`no ${field}`, { ...versions, [field]: value }, field)),
  ),
  ...notNames.map(value => row('no change_id', { ...versions, change_id: value }, 'change_id')),
  ...notNames.map(value => row('no signal name', { type: 'open_signal_wait', signal_name: value }, 'signal_name')),
  ...[-1, 1.5, '1'].map(value => row('no delay', { type: 'start_timer', delay_seconds: value }, 'delay_seconds')),
  ...['md5:1', 'sha256:', `sha256:${'g'.repeat(64)}`, `sha256:${'0'.repeat(63)}`, 5].map(value =>
    row('no fingerprint', { type: 'open_condition_wait', [fingerprint]: value }, fingerprint),
  ),
  row('no attributes', { type: 'upsert_search_attributes', attributes: {} }, 'attributes'),
  row('no entries', { type: 'upsert_memo', entries: {} }, 'entries'),
  row('a nested attribute', { type: 'upsert_search_attributes', attributes: { a: { b: 1 } } }, 'attributes.a'),
  row(
    'attributes of other types',
    { type: 'upsert_search_attributes', attributes: { a: 'x', b: 1.5 }, attribute_types: { a: 'int', b: 'bool' } },
    'attributes.a',
    'attributes.b',
  ),
  row(
    'a policy of a child that is unknown',
    { type: 'start_child_workflow', workflow_type: 'c', parent_close_policy: 'adopt', workflow_id: 'x'.repeat(192) },
    'workflow_id',
    'parent_close_policy',
  ),
  row(
    'a service without names',
    { type: 'start_service_operation', request_payload: 'x', endpoint_name: 'e' },
    'service_name',
    'operation_name',
  ),
  row('an update without an id', { type: 'complete_update' }, 'update_id'),
  row('a failed update without a message', { type: 'fail_update', update_id: 'u' }, 'message'),
];

const terminals: InvalidCommand[] = [
  row('a failure without a message', { type: 'fail_workflow' }, 'message'),
  row('a failure with a number for a message', { type: 'fail_workflow', message: 5 }, 'message'),
  row('an end with a number for a result', { type: 'complete_workflow', result: 5 }, 'result'),
  row('a next run of no type', { type: 'continue_as_new', workflow_type: ' ' }, 'workflow_type'),
];

/** Each known way to be refused, once. */
export const invalidCommands: readonly InvalidCommand[] = [...records, ...steps, ...terminals];

/** One to five broken commands, at most one of them terminal, at any places between valid ones. */
export const invalidLists = (valid: fc.Arbitrary<object>) =>
  fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: valid.map(command => ({ command, paths: [] as readonly string[] })) },
        { weight: 2, arbitrary: fc.constantFrom(...records, ...steps) },
      ),
      { maxLength: 8 },
    )
    .chain(list =>
      fc
        .tuple(fc.constantFrom(...invalidCommands), fc.nat(list.length))
        .map(([broken, place]) => list.toSpliced(place, 0, broken)),
    )
    .map(list => ({
      commands: list.map(({ command }) => command),
      paths: list.flatMap(({ paths }, index) => paths.map(path => `commands.${index}.${path}`)),
    }));
