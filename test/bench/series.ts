/** One figure, measured several times. */
export interface Figure {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Something that is measured: one call is one repetition. */
export type Measurement = () => Promise<number>;

/** Median and spread. */
export function figureOf(values: readonly number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
  return { median, least: sorted[0] ?? 0, most: sorted.at(-1) ?? 0 };
}

/**
 * Measures all, one repetition each in turn, the order reversed every time: what drifts on the machine drifts for all. One
 * round before that counts for nothing.
 */
export async function alternate<const N extends string>(
  repetitions: number,
  measurements: Readonly<Record<N, Measurement>>,
): Promise<Readonly<Record<N, readonly number[]>>> {
  const names = Object.keys(measurements) as N[];
  const values = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<N, number[]>;
  for (let round = 0; round <= repetitions; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await measurements[name]();
      if (round > 0) values[name].push(value);
    }
  return values;
}

/** The quotient of two series, round by round. */
export function ratioOf(numerators: readonly number[], denominators: readonly number[]): Figure {
  return figureOf(numerators.map((value, index) => value / (denominators[index] ?? Number.NaN)));
}
