/** How a bar ended; `open` while it has not. */
export type BarOutcome = 'open' | 'completed' | 'failed' | 'timed_out' | 'cancelled';

/** A stretch of time: an attempt, a wait, a timer, a child's run. Times are milliseconds since the epoch. */
export interface Bar {
  readonly fromMs: number;
  /** Undefined while it is open. */
  readonly toMs: number | undefined;
  readonly outcome: BarOutcome;
  /** History sequence of the event that began it. */
  readonly first: string;
  /** History sequence of the event that ended it. */
  readonly last: string | undefined;
}

/** An event that is a moment. */
export interface Mark {
  readonly atMs: number;
  readonly eventType: string;
  readonly sequence: string;
}

/** What happened to one thing of a run. Each event of the history is one bar's `first` or `last`, or one mark, in one lane. */
export interface Lane {
  readonly id: string;
  readonly kind: 'run' | 'activity' | 'timer' | 'wait' | 'child' | 'update' | 'service';
  readonly name: string;
  readonly status: string;
  /** The run that a child's lane, or a run that was continued, leads to. */
  readonly runId: string | undefined;
  readonly bars: readonly Bar[];
  readonly marks: readonly Mark[];
}
