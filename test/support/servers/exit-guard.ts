import { constants } from 'node:os';
import { removeTemporaryFolder } from './temporary-folder.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const parentPollMs = 500;
const duties = new Set<() => void>();
let armed = false;

/**
 * Has `duty` done when this process ends in whatever way it can still see: its end, an uncaught error, a signal, or the
 * death of the process that started it (mocha's command only forwards SIGINT). Returns what calls the duty off.
 */
export function guardExit(duty: () => void): () => void {
  arm();
  duties.add(duty);
  return () => {
    duties.delete(duty);
  };
}

function arm(): void {
  if (armed) return;
  armed = true;
  process.on('exit', () => {
    for (const duty of duties) duty();
    removeTemporaryFolder();
  });
  for (const name of signals) process.once(name, () => process.exit(128 + constants.signals[name]));
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(128 + constants.signals.SIGTERM);
  }, parentPollMs).unref();
}
