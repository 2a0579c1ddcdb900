import { writeFileSync } from 'node:fs';

/** What a fault did to a load. */
export interface FaultRow {
  readonly fault: string;
  readonly database: string;
  readonly completions: number;
  readonly lost: number;
  readonly doubled: number;
  /** From the fault to the next stored completion. */
  readonly recoveredMs: number;
}

const rows: FaultRow[] = [];

/** Notes a row of the table that `FAULTS_TABLE=FILE` asks for. */
export function noteFault(row: FaultRow): void {
  rows.push(row);
}

/** One line a fault: sums over the databases, and the slowest recovery. */
function lineOf(fault: string): string {
  const mine = rows.filter(row => row.fault === fault);
  const sum = (of: (row: FaultRow) => number) => mine.reduce((total, row) => total + of(row), 0);
  const databases = mine.map(({ database }) => database).join(', ');
  const slowest = Math.max(...mine.map(({ recoveredMs }) => recoveredMs));
  const cells = [fault, databases, sum(row => row.completions), sum(row => row.lost), sum(row => row.doubled)];
  return `| ${cells.join(' | ')} | ${(slowest / 1_000).toFixed(1)} s |`;
}

/** Markdown, a line a fault in the order they were tried. */
export function faultTable(): string {
  const faults = [...new Set(rows.map(({ fault }) => fault))];
  return [
    '| fault | databases | completions | lost | doubled | next one stored after |',
    '| --- | --- | --: | --: | --: | --: |',
    ...faults.map(lineOf),
    '',
  ].join('\n');
}

if (typeof after === 'function' && process.env.FAULTS_TABLE)
  after(() => writeFileSync(String(process.env.FAULTS_TABLE), faultTable()));
