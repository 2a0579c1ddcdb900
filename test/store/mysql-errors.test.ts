import assert from 'node:assert/strict';
import { classify } from '../../src/store/mysql/errors.ts';
import { MysqlFailure } from '../../src/store/mysql/failure.ts';

describe('the classes of MySQL errors', () => {
  const classOf = (errno: number, sqlState = 'HY000', commit: MysqlFailure['commit'] = 'not_run') => {
    const failure = new MysqlFailure({ errno, sqlState });
    failure.commit = commit;
    const { failure: result } = classify(failure);
    return result.class === 'requeue' ? result.requeueClass : result.class;
  };

  it('go by number, whatever name the driver gives', () => {
    const numbers = { 1213: 'deadlock', 1205: 'lock_wait', 1020: 'serialization', 1969: 'timeout', 3024: 'timeout' };
    for (const [errno, expected] of Object.entries(numbers)) assert.equal(classOf(Number(errno)), expected);
    for (const errno of [1040, 1203, 1226]) assert.equal(classOf(errno), 'too_many_connections');
    for (const errno of [3, 28, 1021, 1114]) assert.equal(classOf(errno), 'disk_full');
    for (const errno of [1153, 1461, 1062, 4025, 1045]) assert.equal(classOf(errno), 'defect');
  });

  it('do not know a COMMIT that was interrupted, and know one that was refused', () => {
    for (const errno of [1927, 1053, 1317]) assert.equal(classOf(errno, '70100', 'refused'), 'unknown');
    assert.equal(classOf(1213, '40001', 'refused'), 'deadlock');
    const lost = new MysqlFailure({ code: 'ECONNRESET', fatal: true });
    lost.commit = 'unanswered';
    assert.equal(classify(lost).failure.class, 'unknown');
    const nameless = new MysqlFailure(new Error('x'));
    nameless.commit = 'unanswered';
    assert.equal(classify(nameless).failure.class, 'unknown');
  });
});
