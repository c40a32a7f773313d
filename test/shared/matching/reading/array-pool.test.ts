import { describe, expect, it } from 'vitest';
import { ArrayPool } from '../../../../shared/matching/reading/array-pool.ts';

describe('scratch memory', () => {
  it('gives zeros, whatever lay there before', () => {
    const scratch = new ArrayPool();
    const cut = () => [scratch.uint8(3), scratch.int32(5), scratch.float32(7), scratch.float64(9)];
    for (const array of cut()) array.fill(1);
    scratch.reset();
    for (const array of cut()) expect([...array]).toEqual(Array(array.length).fill(0));
  });
  it('gives every array memory of its own, also when it has to find more', () => {
    const scratch = new ArrayPool();
    const arrays = Array.from({ length: 40 }, (_, i) => scratch.int32(10_000).fill(i));
    for (const [i, array] of arrays.entries()) expect(array.every((number) => number === i)).toBe(true);
  });
  it('lets go of what a long conversation needed', () => {
    const scratch = new ArrayPool();
    scratch.float64(1_000_000);
    scratch.reset();
    expect(scratch.uint8(1).buffer.byteLength).toBeLessThan(1_000_000);
  });
});
