import type { Logger } from './logger.ts';

const quietMs = 10_000;

/**
 * Logs what connections complain of. While a server is away each of them says the same at every try: a message is logged
 * at once, and then every ten seconds with how often it came.
 */
export function connectionTrouble(logger: Logger): (error: Error) => void {
  const seen = new Map<string, { times: number }>();
  return error => {
    const { message } = error;
    const known = seen.get(message);
    if (known !== undefined) {
      known.times += 1;
      return;
    }
    logger.warn({ error: message }, 'connection trouble');
    const entry = { times: 0 };
    seen.set(message, entry);
    setTimeout(() => {
      seen.delete(message);
      if (entry.times > 0) logger.warn({ error: message, times: entry.times }, 'connection trouble');
    }, quietMs).unref();
  };
}
