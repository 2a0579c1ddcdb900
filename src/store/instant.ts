const microsPerMs = 1_000;

/** A moment in UTC with microseconds, as every database here stores it. Compares by `micros`; prints as ISO 8601. */
export class Instant {
  /** Microseconds since the epoch; a safe integer until the year 2255. */
  readonly micros: number;
  #text: string | undefined;

  constructor(micros: number) {
    this.micros = micros;
  }

  static #last = 0;

  /** The clock in milliseconds, made to move on with every call: what one process did first has the earlier time. */
  static now(): Instant {
    Instant.#last = Math.max(Date.now() * microsPerMs, Instant.#last + 1);
    return new Instant(Instant.#last);
  }

  static fromMs(ms: number): Instant {
    return new Instant(Math.round(ms * microsPerMs));
  }

  /**
   * Reads `2026-12-01T10:11:01.123456Z` and what drivers return for a UTC session: `2026-12-01 10:11:01.123456` with an
   * optional `+00`.
   */
  static parse(text: string): Instant {
    const parts = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:Z|\+00(?::?00)?)?$/.exec(text);
    if (parts === null) throw new RangeError('not a UTC timestamp');
    const seconds = Date.parse(`${parts[1]}T${parts[2]}Z`) * microsPerMs;
    return new Instant(seconds + Number((parts[3] ?? '').padEnd(6, '0')));
  }

  plusMs(ms: number): Instant {
    return new Instant(this.micros + Math.round(ms * microsPerMs));
  }

  plusSeconds(seconds: number): Instant {
    return this.plusMs(seconds * 1_000);
  }

  isAfter(other: Instant): boolean {
    return this.micros > other.micros;
  }

  /** Milliseconds since the epoch, rounded down. */
  get ms(): number {
    return Math.floor(this.micros / microsPerMs);
  }

  toString(): string {
    if (this.#text === undefined) {
      const micros = ((this.micros % microsPerMs) + microsPerMs) % microsPerMs;
      this.#text = `${new Date(this.ms).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
    }
    return this.#text;
  }

  toJSON(): string {
    return this.toString();
  }
}
