import { type OpenOptions, openStore } from './open-store.ts';
import type { Store } from './store.ts';

/** The one store of a thread, opened when it is first asked for. A database that cannot be reached now is tried again then. */
export function openOnce(options: OpenOptions): () => Promise<Store> {
  let opened: Promise<Store> | undefined;
  return () => {
    opened ??= openStore(options).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}
