import { expect, it } from 'vitest';
import { shouldPublish } from '../../../shared/campaigns/publish-stats.ts';
import { toSpendStats } from '../../../shared/campaigns/spend-stats.ts';
import { MINUTE_MS } from '../../../shared/platform/clock.ts';
import { micros } from '../../../shared/platform/values/money.ts';
import { MORNING } from '../../service.ts';

/** A campaign with a daily budget of 10 USD that has spent 5 USD today. */
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
  conversionValue: micros(0),
  notRelevant: 0,
  viewableImpressions: 0,
  tooFastClicks: 0,
  tooManyClicks: 0,
};
const published = { stats: toSpendStats(performance), changedAt: MORNING };
const spend = (amount: number) => ({
  ...performance,
  remaining: micros(performance.remaining - amount),
  dayRemaining: micros(performance.dayRemaining - amount),
  impressions: performance.impressions + 1,
});

it.each([
  ['nothing was published yet', undefined, performance, 0, true],
  ['nothing has changed', published, performance, 10 * MINUTE_MS, false],
  ['less than 1 % of the daily limit was spent, however long ago', published, spend(99_999), 10 * MINUTE_MS, false],
  ['1 % of the daily limit was spent', published, spend(100_000), 0, true],
  ['the daily budget is spent', published, { ...spend(50_000), dayRemaining: micros(0) }, 0, true],
  ['the total budget is spent', published, { ...spend(50_000), remaining: micros(0) }, 0, true],
  ['a new day has started', published, { ...performance, day: '2026-11-21' }, 0, true],
  ['one more click, less than a minute later', published, { ...performance, clicks: 11 }, MINUTE_MS - 1, false],
  ['one more click, a minute later', published, { ...performance, clicks: 11 }, MINUTE_MS, true],
  [
    'another number of charged clicks, a minute later',
    published,
    { ...performance, chargedClicks: 9 },
    MINUTE_MS,
    true,
  ],
  ['one more conversion, a minute later', published, { ...performance, conversions: 2 }, MINUTE_MS, true],
])('shouldPublish decides whether to publish spend stats: %s', (_, previous, now, afterMs, expected) => {
  expect(shouldPublish(previous, now, MORNING + afterMs)).toBe(expected);
});

it('shouldPublish uses 1 % of the remaining total budget if it is below the daily budget', () => {
  const little = { ...performance, remaining: micros(1_000_000) }; // the daily limit is 6 USD
  const at = { stats: toSpendStats(little), changedAt: MORNING };
  const after = (amount: number) => ({
    ...little,
    remaining: micros(little.remaining - amount),
    dayRemaining: micros(little.dayRemaining - amount),
  });
  expect([shouldPublish(at, after(59_999), MORNING), shouldPublish(at, after(60_000), MORNING)]).toEqual([false, true]);
});
