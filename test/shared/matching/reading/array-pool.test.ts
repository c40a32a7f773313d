import { describe, expect, it } from 'vitest';
import { Scratch } from '../../../../shared/matching/reading/array-pool.ts';

describe('scratch memory', () => {
  it('gives zeros, whatever lay there before', () => {
    const scratch = new Scratch();
    const cut = () => [scratch.bytes(3), scratch.integers(5), scratch.floats(7), scratch.doubles(9)];
    for (const array of cut()) array.fill(1);
    scratch.clear();
    for (const array of cut()) expect([...array]).toEqual(Array(array.length).fill(0));
  });
  it('gives every array memory of its own, also when it has to find more', () => {
    const scratch = new Scratch();
    const arrays = Array.from({ length: 40 }, (_, i) => scratch.integers(10_000).fill(i));
    for (const [i, array] of arrays.entries()) expect(array.every((number) => number === i)).toBe(true);
  });
  it('lets go of what a long conversation needed', () => {
    const scratch = new Scratch();
    scratch.doubles(1_000_000);
    scratch.clear();
    expect(scratch.bytes(1).buffer.byteLength).toBeLessThan(1_000_000);
  });
});
