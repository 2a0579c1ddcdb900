import type { PGlite } from '@electric-sql/pglite';

/** First bytes of the messages that make up an extended query up to, not including, its Sync. */
const partOfQuery = new Set([...'PBDECH'].map(letter => letter.charCodeAt(0)));

/**
 * PGlite has one session, and its socket server takes one message at a time from all its clients: between one client's Parse
 * and its Bind another's Parse could slip in. The server keeps to one client while the session says it is in a transaction;
 * so this says so until the client's Sync, too.
 * @param onBroken told when the database itself failed: an error of SQL is an answer, a throw is not, and its client would
 *   wait for ever.
 */
export function wholeQueries(database: PGlite, onBroken: (error: unknown) => void): PGlite {
  let inQuery = false;
  return new Proxy(database, {
    get(target, key) {
      if (key === 'isInTransaction') return () => inQuery || target.isInTransaction();
      if (key === 'execProtocolRawStream')
        return (...args: Parameters<PGlite['execProtocolRawStream']>) => {
          inQuery = partOfQuery.has(args[0][0] ?? 0);
          const answered = target.execProtocolRawStream(...args);
          answered.catch(onBroken);
          return answered;
        };
      if (key === 'exec')
        return (...args: Parameters<PGlite['exec']>) => {
          inQuery = false;
          return target.exec(...args);
        };
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
