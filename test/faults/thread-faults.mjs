// Loaded into a daemon by NODE_OPTIONS: a completion whose text holds `fault:NAME` does that to its thread, inside its
// transaction, when the receipt is written.
import { isMainThread } from 'node:worker_threads';

const faults = {
  exit: () => process.exit(7),
  uncaught: () =>
    void setImmediate(() => {
      throw new Error('injected');
    }),
  throw: () => {
    throw new Error('injected');
  },
  memory: () => {
    for (const kept = []; ; ) kept.push(new Array(100_000).fill(kept.length));
  },
  hang: () => {
    for (;;);
  },
};

if (!isMainThread) {
  const { parse, stringify } = JSON;
  const faultOf = new Map();
  JSON.parse = (text, ...rest) => {
    const value = parse(text, ...rest);
    const [, fault] = /"fault:(\w+)"/.exec(text) ?? [];
    if (fault && value.task_id) faultOf.set(value.task_id, fault);
    return value;
  };
  JSON.stringify = (value, ...rest) => {
    const fault = value?.outcome === 'completed' && value.created_task_ids ? faultOf.get(value.task_id) : undefined;
    if (fault) faults[fault]();
    return stringify(value, ...rest);
  };
}
