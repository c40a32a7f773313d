import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floorCpm, fromUsd, impressionCost, micros, toUsd } from '../../../../shared/platform/values/money.ts';

describe('Money', () => {
  it('converts to micro-dollars and back without loss, up to the largest budget', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 15 }), (amount) => {
        const usd = Number(`${Math.floor(amount / 1e6)}.${String(amount % 1e6).padStart(6, '0')}`);
        expect(fromUsd(usd)).toBe(amount);
        expect(toUsd(fromUsd(usd))).toBe(usd);
      }),
    );
  });

  it('is never a fraction of a micro-dollar', () => {
    expect(() => micros(0.5)).toThrow(RangeError);
    expect(() => micros(Number.NaN)).toThrow(RangeError);
    expect(() => micros(2 ** 53)).toThrow(RangeError);
  });

  it('rounds a bid down to three decimals, so that an impression costs whole micro-dollars', () => {
    expect(floorCpm(4_567_899.9)).toBe(4_567_000);
    expect(impressionCost(floorCpm(4_567_899))).toBe(4_567);
  });
});
