import { InvalidArgumentError } from 'commander';
import { maxHistorySequence } from '../transaction/flush.ts';

/** Parses an option that counts something: 1 or more, and at most `max`. */
export function positiveInteger(max: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  const wanted = max === Number.MAX_SAFE_INTEGER ? '1 or more' : `1 to ${max}`;
  return text => {
    const value = /^\d+$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > max) throw new InvalidArgumentError(`expected a whole number, ${wanted}`);
    return value;
  };
}

/** Parses a history sequence. */
export function historySequence(text: string): bigint {
  const value = /^\d{1,19}$/.test(text) ? BigInt(text) : -1n;
  if (value < 0n || value > maxHistorySequence) throw new InvalidArgumentError('expected a history sequence, like 120');
  return value;
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses an age like `90s`, `15m`, `1h` or `7d` to milliseconds. */
export function durationMs(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const factor = unitMs[unit];
  if (factor === undefined) throw new InvalidArgumentError('expected a number and a unit, like 90s, 15m, 1h or 7d');
  return Number(count) * factor;
}
