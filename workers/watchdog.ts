import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { beatIntervalMs, Heartbeats } from '../src/pool/heartbeats.ts';
import { Silence } from '../src/pool/silence.ts';

const { memory, limitMs } = workerData as { readonly memory: SharedArrayBuffer; readonly limitMs: number };
/** Node.js numbers its threads from the main one on. */
const mainThread = 0;
const silence = new Silence(new Heartbeats(memory), limitMs);

// A main thread that gives no sign of life can neither log nor end itself.
setInterval(() => {
  if (silence.look([mainThread]).length === 0) return;
  const line = { level: 60, time: Date.now(), pid: process.pid, msg: `the event loop stood still for ${limitMs} ms` };
  writeSync(2, `${JSON.stringify(line)}\n`);
  process.kill(process.pid, 'SIGKILL');
}, beatIntervalMs);
