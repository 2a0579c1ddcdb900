/** A failure of the queue that a person can act on; never holds a job's data. */
export class QueueError extends Error {
  readonly code: 'queue_unavailable' | 'queue_refused' | 'not_found' | 'wait_timed_out';

  constructor(code: QueueError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'QueueError';
    this.code = code;
  }
}

/** Rejects when the queue has not answered in time: with Redis away BullMQ's calls would stay pending for ever. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new QueueError('queue_unavailable', `${what}: the queue did not answer in ${ms} ms`)),
      ms,
    );
  });
  work.catch(() => undefined);
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
