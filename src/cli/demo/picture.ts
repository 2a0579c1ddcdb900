import type { HistoryEvent } from '../../store/reads.ts';

const nameWidth = 22;
const axisWidth = 60;
const otherEventsShown = 12;
const lanesShown = 40;

interface Snapshot {
  readonly id?: string;
  readonly status?: string;
  readonly activity_type?: string;
  readonly attempt_number?: number;
  readonly started_at?: string;
  readonly closed_at?: string;
}

interface Lane {
  readonly name: string;
  status: string;
  readonly bars: { from: number; to: number | undefined; mark: string }[];
  readonly beats: number[];
}

const marks: Readonly<Record<string, string>> = { completed: '#', failed: 'x', timed_out: 't', cancelled: 'c' };

const ms = (text: unknown): number => Date.parse(String(text));

function lanesOf(events: readonly HistoryEvent[]): Lane[] {
  const lanes = new Map<string, Lane>();
  for (const { event_type, payload } of events) {
    const activity = payload.activity as Snapshot | undefined;
    const attempt = payload.activity_attempt as Snapshot | undefined;
    if (!event_type.startsWith('Activity') || activity?.id === undefined) continue;
    const lane = lanes.get(activity.id) ?? {
      name: String(activity.activity_type),
      status: 'pending',
      bars: [],
      beats: [],
    };
    lanes.set(activity.id, lane);
    const bar = lane.bars.at(-1);
    if (event_type === 'ActivityStarted') lane.bars.push({ from: ms(attempt?.started_at), to: undefined, mark: '?' });
    if (event_type === 'ActivityHeartbeatRecorded') lane.beats.push(ms(payload.heartbeat_at));
    if (event_type === 'ActivityRetryScheduled' && bar) {
      bar.to = ms(payload.retry_available_at) - 1_000 * Number(payload.retry_backoff_seconds ?? 0);
      bar.mark = payload.timeout_kind === undefined ? 'x' : 't';
    }
    const end = marks[String(activity.status)];
    if (end !== undefined && bar) Object.assign(bar, { to: ms(activity.closed_at), mark: end });
    lane.status = String(activity.status);
  }
  return [...lanes.values()];
}

function draw(lane: Lane, from: number, to: number): string {
  const at = (time: number) =>
    Math.min(axisWidth - 1, Math.floor(((time - from) / Math.max(1, to - from)) * (axisWidth - 1)));
  const cells = new Array<string>(axisWidth).fill(' ');
  const [first] = lane.bars;
  const last = lane.bars.at(-1);
  if (first && last) for (let cell = at(first.from); cell <= at(last.to ?? to); cell += 1) cells[cell] = '.';
  for (const bar of lane.bars)
    for (let cell = at(bar.from); cell <= at(bar.to ?? to); cell += 1) cells[cell] = bar.mark;
  for (const beat of lane.beats) cells[at(beat)] = 'v';
  return `${lane.name.slice(0, nameWidth).padEnd(nameWidth)} |${cells.join('')}| ${lane.status}`;
}

/** A run's history as text of under 100 columns: a lane each of the first activities on a time axis, then the other events. */
export function drawHistory(events: readonly HistoryEvent[]): string {
  const all = lanesOf(events);
  const lanes = all.slice(0, lanesShown);
  const times = lanes.flatMap(({ bars }) => bars.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])));
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
