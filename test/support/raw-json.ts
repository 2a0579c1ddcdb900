import fc from 'fast-check';
import { commandLists } from './generators.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const nested = (levels: number, open: string, close: string): string => open.repeat(levels) + close.repeat(levels);

/** Texts that stand where a JSON value is expected; not all of them are JSON. */
const strangeTexts = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map(value => JSON.stringify(value)),
  fc.constantFrom(
    'null',
    'true',
    '[]',
    '{}',
    '""',
    '" "',
    '-0',
    '-1',
    '0.5',
    '1e400',
    '1e21',
    '9007199254740993',
    '9223372036854775807',
    '2147483648',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\ud83d\\ude00"',
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":1}}',
    '{"codec":"json","blob":5}',
    '{"codec":"","blob":""}',
    '{"a":1,"a":2}',
    '"2026-02-30T00:00:00Z"',
    'NaN',
    '{"unclosed":',
  ),
  fc.nat(200).map(levels => nested(levels + 1, '[', ']')),
  fc.constantFrom(nested(20_000, '[', ']'), `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
  fc.nat(300_000).map(length => JSON.stringify('"'.repeat(length))),
);

/** Text that stands for one value of the document, until the whole of it is text. */
const mark = (index: number) => `@@${index}@@`;

function places(value: Json, path: readonly string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return [[...path]];
  return [[...path], ...Object.entries(value).flatMap(([key, item]) => places(item, [...path, key]))];
}

function change(value: Json, path: readonly string[], edit: (value: Json) => Json | undefined): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return edit(value);
  const entries = Object.entries(value as object).flatMap(([name, item]: [string, Json]) => {
    const changed = name === key ? change(item, rest, edit) : item;
    return changed === undefined ? [] : [[name, changed] as const];
  });
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

interface Mutation {
  readonly place: number;
  readonly kind: 'replace' | 'remove' | 'unknown field' | 'twice';
  readonly text: string;
}

const mutations: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom('replace', 'replace', 'remove', 'unknown field', 'twice'),
  text: strangeTexts,
});

function mutate(document: Json, { place, kind }: Mutation, index: number): Json {
  const all = places(document);
  const path = all[place % all.length] ?? [];
  const edited = change(document, path, value => {
    if (kind === 'remove') return undefined;
    if (kind === 'twice') return Array.isArray(value) ? [...value, ...value] : [value, value];
    if (kind === 'unknown field' && value !== null && typeof value === 'object' && !Array.isArray(value))
      return { ...value, [`extra ${index}`]: mark(index) };
    return mark(index);
  });
  return edited ?? null;
}

/** A completion's raw text, spoiled in some places; given the envelope that makes the rest of it right. */
export const spoiledCompletions: fc.Arbitrary<(envelope: object) => string> = fc
  .tuple(
    commandLists,
    fc.boolean(),
    fc.oneof(fc.constant<Mutation[]>([]), fc.array(mutations, { minLength: 1, maxLength: 3 })),
    fc.oneof({ weight: 19, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat() }),
  )
  .map(([commands, hasUpdates, list, cutAt]) => envelope => {
    // No update of these ids exists.
    const kept = commands.filter(command => hasUpdates || !('update_id' in command));
    const whole = JSON.parse(JSON.stringify({ ...envelope, commands: kept })) as Json;
    const document = list.reduce((value, mutation, index) => mutate(value, mutation, index), whole);
    const text = list.reduce(
      (json, mutation, index) => json.replaceAll(JSON.stringify(mark(index)), () => mutation.text),
      JSON.stringify(document),
    );
    return cutAt === null ? text : text.slice(0, cutAt % text.length);
  });
