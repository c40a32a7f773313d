import { describe, expect, it } from 'vitest';
import { createTieBreaker } from '../../../../shared/ads/auction/auction.ts';

describe('createTieBreaker', () => {
  it('picks the first campaign that never won', () => {
    expect(createTieBreaker()(['a', 'b', 'c'])).toBe('a');
  });

  it('prefers a campaign that never won to one that did', () => {
    const breakTie = createTieBreaker();
    breakTie(['a']);
    expect(breakTie(['a', 'b'])).toBe('b');
  });

  it('picks the campaign that won longest ago, regardless of order', () => {
    const breakTie = createTieBreaker();
    for (const id of ['a', 'b', 'c', 'a']) breakTie([id]);
    expect(breakTie(['a', 'b', 'c'])).toBe('b');
    expect(breakTie(['b', 'c', 'a'])).toBe('c');
  });

  it('forgets the campaign that won longest ago when its memory is full', () => {
    const breakTie = createTieBreaker(2);
    for (const id of ['a', 'b', 'a', 'c']) breakTie([id]);
    // The memory contains a and c, so b counts as a campaign that never won.
    expect(breakTie(['a', 'b'])).toBe('b');
  });
});
