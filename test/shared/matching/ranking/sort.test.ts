import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortDescending } from '../../../../shared/matching/ranking/sort.ts';
import { ArrayPool } from '../../../../shared/matching/reading/array-pool.ts';

describe('an order', () => {
  it('is that of a stable sort, the largest first', () => {
    const scratch = new ArrayPool();
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 100 }), (numbers) => {
        const wanted = numbers.map((_, position) => position).sort((a, b) => numbers[b]! - numbers[a]!);
        expect([...sortDescending(Float64Array.from(numbers), numbers.length, scratch)]).toEqual(wanted);
        scratch.reset();
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});
