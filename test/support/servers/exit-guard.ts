import { constants } from 'node:os';
import { removeTemporaryFolder } from './temporary-folder.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const parentPollMs = 500;
const duties = new Set<() => unknown>();
let armed = false;

/**
 * Has `duty` done when this process ends in whatever way it can still see: its end, an uncaught error, a signal, or the
 * death of the process that started it (mocha's command only forwards SIGINT). Returns what calls the duty off.
 */
export function guardExit(duty: () => unknown): () => void {
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
    for (const duty of [...duties, removeTemporaryFolder]) perform(duty);
  });
  for (const name of signals) process.once(name, () => process.exit(128 + constants.signals[name]));
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(128 + constants.signals.SIGTERM);
  }, parentPollMs).unref();
}

/** One duty that fails must not keep the others from being done. */
function perform(duty: () => unknown): void {
  try {
    duty();
  } catch (error) {
    process.stderr.write(`at exit: ${String(error)}\n`);
  }
}
