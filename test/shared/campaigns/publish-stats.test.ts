import { expect, it } from 'vitest';
import { shouldPublish } from '../../../shared/campaigns/publish-stats.ts';
import { toSpendStats } from '../../../shared/campaigns/spend-stats.ts';
import { MINUTE_MS } from '../../../shared/platform/clock.ts';
import { micros } from '../../../shared/platform/values/money.ts';
import { MORNING } from '../../service.ts';

/** A campaign of 10 USD a day that has spent 5 USD of it. */
const performance = {
  campaignId: 'cmp_1',
  remaining: micros(90_000_000),
  spent: micros(10_000_000),
  impressions: 1_000,
  day: '2026-11-20',
  dayRemaining: micros(5_000_000),
  dailyBudget: micros(10_000_000),
  clicks: 10,
  chargedClicks: 10,
  conversions: 1,
  chargedConversions: 1,
};
const told = { stats: toSpendStats(performance), changedAt: MORNING };
const spend = (amount: number) => ({
  ...performance,
  remaining: micros(performance.remaining - amount),
  dayRemaining: micros(performance.dayRemaining - amount),
  impressions: performance.impressions + 1,
});

it.each([
  ['nothing was told yet', undefined, performance, 0, true],
  ['nothing has changed', told, performance, 10 * MINUTE_MS, false],
  ['less than a hundredth of the day’s limit was spent, however long ago', told, spend(99_999), 10 * MINUTE_MS, false],
  ['a hundredth of the day’s limit was spent', told, spend(100_000), 0, true],
  ['the day’s budget is used up', told, { ...spend(50_000), dayRemaining: micros(0) }, 0, true],
  ['the whole budget is used up', told, { ...spend(50_000), remaining: micros(0) }, 0, true],
  ['another day has begun', told, { ...performance, day: '2026-11-21' }, 0, true],
  ['there is a click more, soon after', told, { ...performance, clicks: 11 }, MINUTE_MS - 1, false],
  ['there is a click more, a minute after', told, { ...performance, clicks: 11 }, MINUTE_MS, true],
  ['a click was charged, a minute after', told, { ...performance, chargedClicks: 9 }, MINUTE_MS, true],
  ['there is a conversion more, a minute after', told, { ...performance, conversions: 2 }, MINUTE_MS, true],
])('Bidding hears of a campaign where it matters: %s', (_, known, now, afterMs, expected) => {
  expect(shouldPublish(known, now, MORNING + afterMs)).toBe(expected);
});

it('Of a total budget that ends before the day’s does, a hundredth is what is left of it', () => {
  const little = { ...performance, remaining: micros(1_000_000) }; // the limit of the day is 6 USD
  const at = { stats: toSpendStats(little), changedAt: MORNING };
  const after = (amount: number) => ({
    ...little,
    remaining: micros(little.remaining - amount),
    dayRemaining: micros(little.dayRemaining - amount),
  });
  expect([shouldPublish(at, after(59_999), MORNING), shouldPublish(at, after(60_000), MORNING)]).toEqual([false, true]);
});
