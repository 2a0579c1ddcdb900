import type { Lane } from '../../history/lane.ts';
import { lanesOf } from '../../history/lanes.ts';
import type { HistoryEvent } from '../../store/reads.ts';

const nameWidth = 22;
const axisWidth = 60;
const otherEventsShown = 12;
const lanesShown = 40;

const marks = { open: '?', completed: '#', failed: 'x', timed_out: 't', cancelled: 'c' } as const;

function draw(lane: Lane, from: number, to: number): string {
  const at = (time: number) =>
    Math.min(axisWidth - 1, Math.floor(((time - from) / Math.max(1, to - from)) * (axisWidth - 1)));
  const cells = new Array<string>(axisWidth).fill(' ');
  const [first] = lane.bars;
  const last = lane.bars.at(-1);
  if (first && last) for (let cell = at(first.fromMs); cell <= at(last.toMs ?? to); cell += 1) cells[cell] = '.';
  for (const bar of lane.bars)
    for (let cell = at(bar.fromMs); cell <= at(bar.toMs ?? to); cell += 1) cells[cell] = marks[bar.outcome];
  for (const { eventType, atMs } of lane.marks) if (eventType === 'ActivityHeartbeatRecorded') cells[at(atMs)] = 'v';
  return `${lane.name.slice(0, nameWidth).padEnd(nameWidth)} |${cells.join('')}| ${lane.status}`;
}

/** A run's history as text of under 100 columns: a lane each of the first activities on a time axis, then the other events. */
export function drawHistory(events: readonly HistoryEvent[]): string {
  const all = lanesOf(events).filter(({ kind }) => kind === 'activity');
  const lanes = all.slice(0, lanesShown);
  const times = lanes.flatMap(({ bars }) => bars.flatMap(({ fromMs, toMs }) => [fromMs, toMs ?? fromMs]));
  const from = Math.min(...times);
  const to = Math.max(...times);
  const lines = lanes.map(lane => draw(lane, from, to));
  const axis = `${' '.repeat(nameWidth)}  0 s${`${((to - from) / 1_000).toFixed(1)} s`.padStart(axisWidth - 3)}`;
  const legend = '# completed  x failed  t timed out  c cancelled  v heartbeat  . waits for its retry';
  const others = events.filter(({ event_type }) => !event_type.startsWith('Activity'));
  const list = others
    .slice(0, otherEventsShown)
    .map(({ sequence, event_type }) => `  ${sequence.padStart(4)}  ${event_type}`);
  const rest = others.length - list.length;
  return [
    ...lines,
    ...(all.length > lanes.length ? [`… ${all.length - lanes.length} more activities`] : []),
    axis,
    legend,
    '',
    'the other events, by history sequence:',
    ...list,
    ...(rest > 0 ? [`  … ${rest} more`] : []),
  ].join('\n');
}
