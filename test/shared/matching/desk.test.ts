import { describe, expect, it } from 'vitest';
import { Desk } from '../../../shared/matching/desk.ts';

describe('a desk', () => {
  it('gives zeros, whatever lay there before', () => {
    const desk = new Desk();
    const cut = () => [desk.bytes(3), desk.integers(5), desk.floats(7), desk.doubles(9)];
    for (const array of cut()) array.fill(1);
    desk.clear();
    for (const array of cut()) expect([...array]).toEqual(Array(array.length).fill(0));
  });
  it('gives every array memory of its own, also when it has to find more', () => {
    const desk = new Desk();
    const arrays = Array.from({ length: 40 }, (_, i) => desk.integers(10_000).fill(i));
    for (const [i, array] of arrays.entries()) expect(array.every((number) => number === i)).toBe(true);
  });
  it('lets go of what a long conversation needed', () => {
    const desk = new Desk();
    desk.doubles(1_000_000);
    desk.clear();
    expect(desk.bytes(1).buffer.byteLength).toBeLessThan(1_000_000);
  });
});
