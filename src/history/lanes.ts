import type { HistoryEvent } from '../store/reads.ts';
import type { Bar, BarOutcome, Lane, Mark } from './lane.ts';
import { laneRules, runEnds } from './lane-rules.ts';

type Draft<T> = { -readonly [K in keyof T]: T[K] };

interface LaneDraft extends Draft<Omit<Lane, 'bars' | 'marks'>> {
  readonly bars: Draft<Bar>[];
  readonly marks: Draft<Mark>[];
}

/** What an activity's events carry of it and of its attempt. */
interface Snapshot {
  readonly id?: string;
  readonly status?: string;
  readonly activity_type?: string;
  readonly started_at?: string;
  readonly closed_at?: string;
}

const ends = new Set(['completed', 'failed', 'timed_out', 'cancelled']);

const ms = (text: unknown): number => Date.parse(String(text));

/** Lanes while the history goes by; in the browser too, so there is nothing here but the language. */
class LaneBuilder {
  readonly #lanes = new Map<string, LaneDraft>();

  get lanes(): readonly Lane[] {
    return [...this.#lanes.values()];
  }

  add(event: HistoryEvent): void {
    if (event.event_type.startsWith('Activity')) this.#addToActivity(event);
    else this.#addToSpan(event);
  }

  #lane(id: string, make: () => Pick<Lane, 'kind' | 'name'>): LaneDraft {
    let lane = this.#lanes.get(id);
    if (lane === undefined) {
      lane = { id, ...make(), status: 'open', runId: undefined, bars: [], marks: [] };
      this.#lanes.set(id, lane);
    }
    return lane;
  }

  #addToActivity({ event_type, sequence, recorded_at, payload }: HistoryEvent): void {
    const activity = (payload.activity ?? {}) as Snapshot;
    const attempt = payload.activity_attempt as Snapshot | undefined;
    const lane = this.#lane(`activity ${payload.activity_execution_id ?? activity.id}`, () => ({
      kind: 'activity',
      name: String(payload.activity_type ?? activity.activity_type),
    }));
    lane.status = activity.status ?? lane.status;
    const bar = lane.bars.at(-1);
    const isEnd = event_type === 'ActivityRetryScheduled' || ends.has(lane.status);
    if (event_type === 'ActivityStarted') {
      const fromMs = ms(attempt?.started_at ?? recorded_at);
      lane.bars.push({ fromMs, toMs: undefined, outcome: 'open', first: sequence, last: undefined });
      // A local activity is recorded when it is over: it was scheduled before it started.
      for (const mark of lane.marks) mark.atMs = Math.min(mark.atMs, fromMs);
    } else if (bar !== undefined && bar.toMs === undefined && isEnd) {
      const retry = ms(payload.retry_available_at) - 1_000 * Number(payload.retry_backoff_seconds ?? 0);
      const end = event_type === 'ActivityRetryScheduled' ? retry : ms(activity.closed_at ?? recorded_at);
      const failed = payload.timeout_kind === undefined ? 'failed' : 'timed_out';
      const outcome = event_type === 'ActivityRetryScheduled' ? failed : (lane.status as BarOutcome);
      Object.assign(bar, { toMs: end, outcome, last: sequence });
    } else lane.marks.push({ atMs: ms(payload.heartbeat_at ?? recorded_at), eventType: event_type, sequence });
  }

  #addToSpan({ event_type, sequence, recorded_at, payload }: HistoryEvent): void {
    const rule = laneRules[event_type];
    const key = rule && payload[rule.key];
    const atMs = ms(recorded_at);
    // A signal that came while a wait was open belongs to the wait.
    const waiting = event_type === 'SignalReceived' && this.#lanes.get(`wait ${payload.signal_wait_id}`);
    const lane =
      waiting ||
      (rule === undefined || key === undefined
        ? this.#runLane()
        : this.#lane(`${rule.kind} ${key}`, () => ({ kind: rule.kind, name: rule.name(payload) })));
    lane.runId ??= (payload.child_workflow_run_id ?? payload.continued_to_run_id) as string | undefined;
    const end = lane.kind === 'run' ? runEnds[event_type] : rule?.end;
    const outcome = end === 'completed' && payload.failure_id !== undefined ? 'failed' : end;
    const [bar] = lane.bars;
    if (bar === undefined) {
      lane.bars.push({ fromMs: atMs, toMs: undefined, outcome: 'open', first: sequence, last: undefined });
      if (outcome !== undefined) this.#end(lane, atMs, outcome);
    } else if (outcome !== undefined && bar.toMs === undefined) this.#end(lane, atMs, outcome, sequence);
    else lane.marks.push({ atMs, eventType: event_type, sequence });
    // A wait for a signal has no event of its own for its time-out: its timer tells.
    const timedOut = event_type === 'TimerFired' && this.#lanes.get(`wait ${payload.signal_wait_id}`);
    if (timedOut) this.#end(timedOut, atMs, 'timed_out');
  }

  #runLane(): LaneDraft {
    return this.#lane('run', () => ({ kind: 'run', name: 'workflow' }));
  }

  #end(lane: LaneDraft, toMs: number, outcome: BarOutcome, last?: string): void {
    const [bar] = lane.bars;
    if (bar?.toMs !== undefined) return;
    Object.assign(bar ?? {}, { toMs, outcome, last });
    lane.status = outcome;
  }
}

/** A history → its lanes, in the order in which they began. Pure: the same events give the same lanes. */
export function lanesOf(events: Iterable<HistoryEvent>): readonly Lane[] {
  const builder = new LaneBuilder();
  for (const event of events) builder.add(event);
  return builder.lanes;
}
