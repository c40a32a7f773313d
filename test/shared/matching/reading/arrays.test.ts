import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArrayPool, orderDescending } from '../../../../shared/matching/reading/arrays.ts';

describe('ArrayPool', () => {
  it('returns zeros after a reset, whatever the memory contained', () => {
    const pool = new ArrayPool();
    const allocate = () => [pool.uint8(3), pool.int32(5), pool.float32(7), pool.float64(9)];
    for (const array of allocate()) array.fill(1);
    pool.reset();
    for (const array of allocate()) expect([...array]).toEqual(Array(array.length).fill(0));
  });

  it('gives every array its own memory, even when the pool grows', () => {
    const pool = new ArrayPool();
    const arrays = Array.from({ length: 40 }, (_, i) => pool.int32(10_000).fill(i));
    for (const [i, array] of arrays.entries()) expect(array.every((number) => number === i)).toBe(true);
  });

  it('releases the memory of a long conversation on reset', () => {
    const pool = new ArrayPool();
    pool.float64(1_000_000);
    pool.reset();
    expect(pool.uint8(1).buffer.byteLength).toBeLessThan(1_000_000);
  });
});

const pool = new ArrayPool();
const getOrder = (numbers: number[]): number[] => {
  const order = [...orderDescending(Float64Array.from(numbers), numbers.length, pool)];
  pool.reset();
  return order;
};

describe('orderDescending', () => {
  it('sorts like a stable descending sort if numbers are equal or at least a step apart', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 100 }), (steps) => {
        const numbers = steps.map((step) => step / 64);
        const expected = numbers.map((_, position) => position).sort((a, b) => numbers[b]! - numbers[a]!);
        expect(getOrder(numbers)).toEqual(expected);
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  it('lists every number once, and never after a number that is a step smaller, except far below the largest', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -40, max: 10, noNaN: true }), { maxLength: 100 }), (numbers) => {
        const order = getOrder(numbers);
        expect(order.toSorted((a, b) => a - b)).toEqual(numbers.map((_, position) => position));
        const lowest = Math.max(...numbers) - 1023 / 64;
        const clamped = order.map((index) => Math.max(lowest, numbers[index]!));
        for (let i = 1; i < clamped.length; i++) expect(clamped[i]! - clamped[i - 1]!).toBeLessThanOrEqual(1 / 64);
      }),
      { numRuns: 300, seed: 12 },
    );
  });
});
