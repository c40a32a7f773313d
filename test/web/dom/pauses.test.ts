import { describe, expect, it } from 'vitest';
import { createPauses } from '../../../web/parts/pauses.ts';

describe('The pause between polls', () => {
  it('doubles up to a minute while nothing changes, and is the shortest again after a change', () => {
    const { afterValue } = createPauses(10);
    expect(['a', 'a', 'a', 'b'].map(afterValue)).toEqual([10, 20, 40, 10]);
    const slow = createPauses(50_000);
    expect(['a', 'a', 'a'].map(slow.afterValue)).toEqual([50_000, 60_000, 60_000]);
  });

  it('doubles after each failure', () => {
    const { afterFailure } = createPauses(10);
    expect([afterFailure(), afterFailure()]).toEqual([20, 40]);
  });

  it('is the shortest after an action of the visitor, whatever comes next', () => {
    const { afterValue, hasten } = createPauses(10);
    expect([afterValue('a'), afterValue('a'), hasten(), afterValue('a')]).toEqual([10, 20, 10, 10]);
  });

  it('is never shorter than the shortest, even above a minute', () => {
    const { afterValue, setShortest } = createPauses(10);
    setShortest(120_000);
    expect([afterValue('a'), afterValue('a')]).toEqual([120_000, 120_000]);
  });
});
