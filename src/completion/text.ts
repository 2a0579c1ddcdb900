/**
 * Paths of keys named `__proto__`: merging objects would lose them without a word, so they are refused.
 * @param json the text that `value` was parsed from: most texts need no walk.
 */
export function reservedKeyPaths(json: string, value: unknown, path = ''): string[] {
  if (!json.includes('__proto__') || value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const child = path === '' ? key : `${path}.${key}`;
    return key === '__proto__' ? [child] : reservedKeyPaths(json, item, child);
  });
}

/** Fast test over a job's raw JSON: an escape that could stand for U+0000 or a surrogate, or an ill-formed literal. */
const suspicious = /\\u(?:0000|[dD][89a-fA-F])/;

/** Whether a parsed document of this JSON text could hold text that no database here stores faithfully. */
export function mayHoldUnstorableText(json: string): boolean {
  return suspicious.test(json) || !json.isWellFormed();
}

/** Whether PostgreSQL refuses this text (U+0000) or a driver would replace part of it (a lone surrogate). */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

/**
 * Paths of all strings and keys that cannot be stored, like `commands.0.result`. Databases disagree on U+0000 and lone
 * surrogates (hard cases of pg, mysql2 and SQLite), so all of them are spared the question.
 */
export function unstorablePaths(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [path];
  if (value === null || typeof value !== 'object') return [];
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [String(index), item])
    : Object.entries(value);
  return entries.flatMap(([key, item]) => {
    const child = path === '' ? key : `${path}.${key}`;
    return isStorable(key) ? unstorablePaths(item, child) : [path === '' ? '(a key)' : `${path}.(a key)`];
  });
}
