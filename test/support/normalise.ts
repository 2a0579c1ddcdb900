import { Instant } from '../../src/store/instant.ts';

const ulid = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/**
 * Makes what two writers stored comparable: ids become their order of first appearance, times milliseconds from the moment
 * of applying, and keys are sorted. `known` are ids that keep their names.
 */
export function normalise(
  value: unknown,
  now: Instant | undefined,
  known: Readonly<Record<string, string>> = {},
): unknown {
  const names = new Map(Object.entries(known));
  const visit = (node: unknown): unknown => {
    if (typeof node === 'bigint') return Number(node);
    if (node instanceof Instant) return { ms: (node.micros - (now?.micros ?? 0)) / 1_000 };
    if (typeof node === 'string' && timestamp.test(node)) return visit(Instant.parse(node));
    if (typeof node === 'string' && ulid.test(node)) {
      const name = names.get(node) ?? `#${names.size}`;
      names.set(node, name);
      return name;
    }
    if (Array.isArray(node)) return node.map(visit);
    if (node === null || typeof node !== 'object') return node;
    return Object.fromEntries(
      Object.entries(node)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, child]) => [key, visit(child)]),
    );
  };
  return visit(value);
}
