import { MysqlPool } from '../../src/store/mysql/pool.ts';
import { Pipeline } from '../../src/store/postgres/pipeline.ts';
import { SqlTransaction } from '../../src/store/sql-transaction.ts';

/**
 * What the product is compared with: the same code, but every row an INSERT of its own, every event an allocation of its own,
 * and every statement awaited before the next is sent. On for a process that is started with `BENCH_ROW_AT_A_TIME`, by loading
 * this module first; switched by `rowAtATime` where both are measured in one process.
 */
let isOn = process.env.BENCH_ROW_AT_A_TIME !== undefined;

/** `ranges`: rows one at a time, but one allocation for all events of a flush, as a careful writer would. */
let ranges = false;

/** Switches the comparison on or off for what begins after this. */
export function rowAtATime(on: boolean, withRanges = false): void {
  isOn = on;
  ranges = withRanges;
}

const { insert, allocateSequences } = SqlTransaction.prototype;

SqlTransaction.prototype.insert = function (table, rows) {
  if (!isOn) return insert.call(this, table, rows);
  for (const row of rows) insert.call(this, table, [row]);
};

SqlTransaction.prototype.allocateSequences = function (runId, last, count) {
  if (!isOn || ranges) return allocateSequences.call(this, runId, last, count);
  for (let index = 0; index < count; index += 1) allocateSequences.call(this, runId, last + BigInt(index), 1);
};

const { send } = Pipeline.prototype;
const tails = new WeakMap<Pipeline, Promise<void>>();

Pipeline.prototype.send = function (outgoing, settle) {
  if (!isOn) return send.call(this, outgoing, settle);
  const before = tails.get(this) ?? Promise.resolve();
  const answered = before.then(
    () =>
      new Promise<void>(resolve => {
        send.call(this, outgoing, (failure, answer) => {
          settle(failure, answer);
          resolve();
        });
      }),
  );
  tails.set(this, answered);
};

/** A text of more than one statement never fits: each goes alone, and the next waits for its answer. */
const oneStatementBytes = 1;
const { checkout } = MysqlPool.prototype;

MysqlPool.prototype.checkout = async function () {
  const found = await checkout.call(this);
  return isOn ? { ...found, session: { ...found.session, textBytes: oneStatementBytes } } : found;
};
