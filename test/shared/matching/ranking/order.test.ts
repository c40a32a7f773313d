import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inDescendingSteps } from '../../../../shared/matching/ranking/order.ts';
import { ArrayPool } from '../../../../shared/matching/reading/array-pool.ts';

const pool = new ArrayPool();
const orderOf = (numbers: number[]): number[] => {
  const order = [...inDescendingSteps(Float64Array.from(numbers), numbers.length, pool)];
  pool.reset();
  return order;
};

describe('an order in steps', () => {
  it('is that of a stable sort where numbers are a step apart or equal, the largest first', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 100 }), (steps) => {
        const numbers = steps.map((step) => step / 64);
        const wanted = numbers.map((_, position) => position).sort((a, b) => numbers[b]! - numbers[a]!);
        expect(orderOf(numbers)).toEqual(wanted);
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  it('has every number once, none behind one that is a step less, unless both are far below the largest', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -40, max: 10, noNaN: true }), { maxLength: 100 }), (numbers) => {
        const order = orderOf(numbers);
        expect(order.toSorted((a, b) => a - b)).toEqual(numbers.map((_, position) => position));
        const least = Math.max(...numbers) - 1023 / 64;
        const near = order.map((index) => Math.max(least, numbers[index]!));
        for (let i = 1; i < near.length; i++) expect(near[i]! - near[i - 1]!).toBeLessThanOrEqual(1 / 64);
      }),
      { numRuns: 300, seed: 12 },
    );
  });
});
