import { write } from '../../src/store/statement.ts';
import type { Store, StoreTransaction } from '../../src/store/store.ts';

/** No database has this table: the statement is sent, and the server itself answers with an error. */
const brokenWrite = write('test-broken', 'delete from no_such_table');

/**
 * A store whose transactions send a statement that the database refuses in place of their n-th one, counted from 1; the
 * statements before it are sent as they are, and so are those behind it as long as the transaction goes on.
 */
export function failingAt(store: Store, n: number): Store {
  let sent = 0;
  const isBroken = () => {
    sent += 1;
    return sent === n;
  };
  const wrap = (tx: StoreTransaction): StoreTransaction => ({
    get statements() {
      return tx.statements;
    },
    write: (statement, values) => (isBroken() ? tx.write(brokenWrite, []) : tx.write(statement, values)),
    insert: (table, rows) => (isBroken() ? tx.write(brokenWrite, []) : tx.insert(table, rows)),
    allocateSequences: (runId, last, count) =>
      isBroken() ? tx.write(brokenWrite, []) : tx.allocateSequences(runId, last, count),
    read: (statement, values) => {
      if (isBroken()) tx.write(brokenWrite, []);
      return tx.read(statement, values);
    },
  });
  return {
    kind: store.kind,
    capabilities: store.capabilities,
    walFile: store.walFile,
    transaction: work => store.transaction(tx => work(wrap(tx))),
    read: (statement, values) => store.read(statement, values),
    migrate: () => store.migrate(),
    schemaStatus: () => store.schemaStatus(),
    problems: () => store.problems(),
    close: () => store.close(),
  };
}
