/** A failure of the queue that a person can act on; never holds a job's data. */
export class QueueError extends Error {
  readonly code: 'queue_unavailable' | 'queue_refused' | 'not_found' | 'wait_timed_out';

  constructor(code: QueueError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'QueueError';
    this.code = code;
  }
}

/** SQLSTATE classes of a PostgreSQL that is going, gone or full; the others are its answer. */
const awayStates = /^(08|53|57)/;

/** A driver's error → a QueueError. The server either said no, or cannot be reached. */
export function queueErrorOf(what: string, error: unknown): QueueError {
  if (error instanceof QueueError) return error;
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  const answered = name === 'ReplyError' || (/^[0-9A-Z]{5}$/.test(code ?? '') && !awayStates.test(code ?? ''));
  return new QueueError(answered ? 'queue_refused' : 'queue_unavailable', `${what}: ${message || code}`, error);
}

/**
 * Rejects when the queue has not answered in time: with Redis away BullMQ's calls would stay pending for ever.
 * @throws QueueError `queue_unavailable`, `queue_refused`; the driver's error is its cause.
 */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new QueueError('queue_unavailable', `${what}: the queue did not answer in ${ms} ms`)),
      ms,
    );
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, timeout]);
  } catch (error) {
    throw queueErrorOf(what, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the queue's server is away, and not wrong. */
export function isQueueAway(error: unknown): boolean {
  return error instanceof QueueError && error.code === 'queue_unavailable';
}
