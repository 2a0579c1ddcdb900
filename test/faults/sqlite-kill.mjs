// Loaded into a daemon by NODE_OPTIONS: ends its process with SIGKILL at a named point of a transaction on SQLite, which has
// no wire to cut. FAULT_POINT names the point, FAULT_AFTER how many transactions pass it first.
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const require = createRequire(import.meta.url);
const Database = require('better-sqlite3');
const { FAULT_POINT: point, FAULT_AFTER: after } = process.env;

const strikes = {
  'after begin': { when: 'after', sql: /^begin immediate/ },
  'after the first flush': { when: 'after', sql: /^insert into workflow_history_events/ },
  'before COMMIT': { when: 'before', sql: /^commit/ },
  'between COMMIT and the acknowledgement': { when: 'after', sql: /^commit/ },
};
const strike = strikes[point];
let left = Number(after);

function pass(when, sql) {
  if (when !== strike.when || !strike.sql.test(sql)) return;
  left -= 1;
  if (left < 0) process.kill(process.pid, 'SIGKILL');
}

if (!isMainThread && strike) {
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    const { run } = statement;
    statement.run = (...values) => {
      pass('before', sql);
      const result = run.apply(statement, values);
      pass('after', sql);
      return result;
    };
    return statement;
  };
}
