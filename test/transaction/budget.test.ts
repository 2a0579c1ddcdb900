import assert from 'node:assert/strict';
import { Refusal } from '../../src/completion/refusal.ts';
import { Budget } from '../../src/transaction/budget.ts';
import { historyBudget, statusBucket } from '../../src/transaction/projections/summary.ts';

const limits = { completionEvents: 2, completionRows: 4, completionBytes: 100 };

function messageOf(budget: Budget): string {
  try {
    budget.check();
    return '';
  } catch (error) {
    assert.ok(error instanceof Refusal && error.code === 'completion_budget_exceeded');
    return error.message;
  }
}

describe('the budget of a completion', () => {
  it('is full at its limits and over behind them, in each dimension', () => {
    const full = new Budget(limits);
    for (const bytes of [20, 30]) full.chargeEvent(bytes);
    for (const bytes of [40, 10]) full.chargeRow(bytes);
    assert.deepEqual([messageOf(full), full.rows, full.bytes], ['', 4, 100]);
    full.chargeRow(1);
    assert.equal(
      messageOf(full),
      'the completion would write 5 rows, the limit is 4 (limits.completionRows); 101 bytes, the limit is 100 (limits.completionBytes)',
    );
  });

  it('counts an event as a row too', () => {
    const budget = new Budget(limits);
    for (let index = 0; index < 3; index += 1) budget.chargeEvent(1);
    assert.equal(budget.rows, 3);
    assert.equal(messageOf(budget), 'the completion would write 3 events, the limit is 2 (limits.completionEvents)');
  });
});

describe('the budget of a history', () => {
  const mebibyte = 1_048_576n;

  it('is approached and exceeded by events or by bytes, whichever comes first', () => {
    for (const [events, bytes, pressure, recommended] of [
      [0n, 0n, 'none', false],
      [7_999n, 4n * mebibyte - 1n, 'none', false],
      [8_000n, 0n, 'approaching', false],
      [0n, 4n * mebibyte, 'approaching', false],
      [9_999n, 5n * mebibyte - 1n, 'approaching', false],
      [10_000n, 0n, 'exceeded', true],
      [0n, 5n * mebibyte, 'exceeded', true],
    ] as const)
      assert.deepEqual(historyBudget(events, bytes), { pressure, recommended }, `${events} events, ${bytes} bytes`);
  });

  it('sorts runs into buckets by their status', () => {
    for (const status of ['pending', 'running', 'waiting'] as const) assert.equal(statusBucket(status), 'running');
    assert.equal(statusBucket('completed'), 'completed');
    for (const status of ['failed', 'cancelled', 'terminated'] as const) assert.equal(statusBucket(status), 'failed');
  });
});
