import { setTimeout as sleep } from 'node:timers/promises';

const retryMs = 1_000;

/** What is waited for. */
export interface Wait<T> {
  readonly attempt: () => Promise<T>;
  /** Whether an error passes by itself: the server is away, not wrong. */
  readonly passes: (error: unknown) => boolean;
  /** Told once of each reason. */
  readonly onWaiting: (reason: string) => void;
  readonly signal: AbortSignal;
}

/** Tries again while a server is away. @throws what does not pass, and an AbortError when the signal comes first. */
export async function untilAvailable<T>({ attempt, passes, onWaiting, signal }: Wait<T>): Promise<T> {
  let said = '';
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!passes(error)) throw error;
      const { message } = error as Error;
      if (message !== said) onWaiting(message);
      said = message;
    }
    await sleep(retryMs, undefined, { signal });
  }
}
