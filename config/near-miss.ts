/** Edits between two words: insert, delete, replace a character, or swap two neighbours. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const [up = 0, left = 0, corner = 0] = [last[column], next[column - 1], last[column - 1]];
      const replaced = corner + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwap ? (beforeLast[column - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(up + 1, left + 1, replaced, swapped));
    }
    beforeLast = last;
    last = next;
  }
  return last[b.length] ?? 0;
}

/** The one of `words` that was probably meant; undefined when none is near. The letters' case does not count. */
export function nearMiss(word: string, words: readonly string[]): string | undefined {
  const farthest = Math.min(3, Math.ceil(word.length / 3));
  const ranked = words
    .map(candidate => ({ candidate, edits: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= farthest)
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.candidate;
}

/** `; did you mean …?`, or nothing. */
export function suggest(word: string, words: readonly string[], suffix = ''): string {
  const near = nearMiss(word, words);
  return near === undefined ? '' : `; did you mean ${near}${suffix}?`;
}
