// Loaded into a daemon by NODE_OPTIONS: SIGUSR2 stops its event loop for ever.
import { isMainThread } from 'node:worker_threads';

if (isMainThread)
  process.on('SIGUSR2', () => {
    for (;;);
  });
