import { cpus } from 'node:os';
import { type Goal, goals, isReached, type Reached } from './goals.ts';
import type { Figure } from './series.ts';

const number = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 3 });
const spread = ({ median, least, most }: Figure) =>
  least === most ? number(median) : `${number(median)} (${number(least)} to ${number(most)})`;

function line(goal: Goal, reached: Reached): string {
  const verdict = isReached(goal, reached) ? 'yes' : 'no';
  return `| ${goal.title} | ${goal.bound} ${number(goal.goal)} | ${spread(reached.ratio)} | ${verdict} |`;
}

/** The goals table, then the figures behind it. */
export function markdown(results: readonly Reached[]): string {
  const rows = results.flatMap(reached => {
    const goal = goals.find(({ name }) => name === reached.name);
    return goal === undefined ? [] : [line(goal, reached)];
  });
  const figures = results.flatMap(({ name, figures }) =>
    Object.entries(figures).map(([what, figure]) => `| ${name} | ${what} | ${spread(figure)} |`),
  );
  return [
    '| | goal | measured: median (spread) | reached |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    '| | figure | median (spread) |',
    '| --- | --- | --- |',
    ...figures,
    '',
  ].join('\n');
}

/** The same for machines, with what they were measured on. */
export function json(results: readonly Reached[], effort: object): string {
  const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model ?? null };
  return `${JSON.stringify({ measured_at: new Date().toISOString(), machine, effort, goals, results }, null, 2)}\n`;
}
