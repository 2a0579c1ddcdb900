import assert from 'node:assert/strict';
import fc from 'fast-check';
import { estimateBytes, table } from '../../src/store/table.ts';
import { split } from '../../src/transaction/flush.ts';

const two = table('two', { a: 'text', b: 'int' });
const bounds = { rows: 100, bytes: 1_048_576, maxParameters: 65_535 };
const rowsOf = (sizes: readonly number[]) => sizes.map((bytes, index) => ({ row: { a: String(index) }, bytes }));
const lengths = (sizes: readonly number[], more: object = {}) =>
  [...split(two, rowsOf(sizes), { ...bounds, ...more })].map(({ length }) => length);

describe('rows split into INSERTs', () => {
  it('go by a hundred, and the bound itself still fits', () => {
    assert.deepEqual(lengths([]), []);
    assert.deepEqual(lengths(Array(100).fill(1)), [100]);
    assert.deepEqual(lengths(Array(101).fill(1)), [100, 1]);
    assert.deepEqual(lengths(Array(250).fill(1)), [100, 100, 50]);
  });

  it('go by bytes, and the bound itself still fits', () => {
    assert.deepEqual(lengths([400, 600], { bytes: 1_000 }), [2]);
    assert.deepEqual(lengths([400, 601], { bytes: 1_000 }), [1, 1]);
    assert.deepEqual(lengths([400, 600, 1], { bytes: 1_000 }), [2, 1]);
  });

  it('let one that is over the bound by itself stand alone, without a statement of no rows', () => {
    assert.deepEqual(lengths([1_001], { bytes: 1_000 }), [1]);
    assert.deepEqual(lengths([1, 5_000, 1], { bytes: 1_000 }), [1, 1, 1]);
    assert.deepEqual(lengths([5_000, 5_000], { bytes: 1_000 }), [1, 1]);
  });

  it('go by what the driver binds, whole rows only', () => {
    assert.deepEqual(lengths(Array(5).fill(1), { maxParameters: 5 }), [2, 2, 1]);
  });

  it('keep their order, lose none, keep every bound, and could not have been fewer one after the other', () => {
    const sizes = fc.array(fc.nat(1_500), { maxLength: 60 });
    fc.assert(
      fc.property(
        sizes,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 2, max: 20 }),
        (list, rows, maxParameters) => {
          const limits = { rows, bytes: 1_000, maxParameters };
          const chunks = [...split(two, rowsOf(list), limits)];
          assert.deepEqual(
            chunks.flat().map(({ a }) => a),
            list.map((_, index) => String(index)),
          );
          const bytesOf = (chunk: (typeof chunks)[number]) =>
            chunk.reduce((sum, { a }) => sum + (list[Number(a)] ?? 0), 0);
          const maxRows = Math.min(rows, Math.floor(maxParameters / 2));
          for (const [index, chunk] of chunks.entries()) {
            assert.ok(chunk.length > 0 && chunk.length <= maxRows);
            assert.ok(chunk.length === 1 || bytesOf(chunk) <= 1_000);
            const next = chunks[index + 1];
            if (next) assert.ok(chunk.length === maxRows || bytesOf(chunk) + (list[Number(next[0]?.a)] ?? 0) > 1_000);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("the estimate of a row's size", () => {
  it('counts UTF-8 bytes and something for every column, also those left out', () => {
    assert.equal(estimateBytes(two, { a: 'x' }) - estimateBytes(two, {}), 1);
    assert.equal(estimateBytes(two, { a: '😀' }) - estimateBytes(two, { a: '' }), 4);
    assert.equal(estimateBytes(two, { a: 'é', b: 5 }), estimateBytes(two, { a: 'xx' }));
    assert.ok(estimateBytes(two, {}) >= 2 * 9, 'a 64-bit number and its length fit into the fixed cost');
  });
});
