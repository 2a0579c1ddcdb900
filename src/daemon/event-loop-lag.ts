import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 20;
const nanosecondsPerMs = 1e6;

/** How late the event loop is, on average, since it was last asked. */
export class EventLoopLag {
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: resolutionMs });

  start(): void {
    this.#histogram.enable();
  }

  stop(): void {
    this.#histogram.disable();
  }

  /** Milliseconds. */
  take(): number {
    const { mean } = this.#histogram;
    this.#histogram.reset();
    return Number.isNaN(mean) ? 0 : Math.max(0, mean / nanosecondsPerMs - resolutionMs);
  }
}
