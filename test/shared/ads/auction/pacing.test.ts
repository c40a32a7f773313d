import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getPace } from '../../../../shared/ads/auction/price.ts';
import { createSpendStats, type SpendStats } from '../../../../shared/campaigns/spend-stats.ts';
import { fromUsd, type Micros, micros } from '../../../../shared/platform/values/money.ts';

const TODAY = '2026-11-20';
const at = (time: string) => Date.parse(`${TODAY}T${time}Z`);
const campaign = (more: object = {}) => ({
  budget: fromUsd(1_000),
  dailyBudget: fromUsd(100) as Micros | null,
  createdAt: '2026-11-01T00:00:00.000Z',
  startDate: null as string | null,
  endDate: null as string | null,
  ...more,
});
const spent = (usdToday: number, more: Partial<SpendStats> = {}): SpendStats => ({
  ...createSpendStats('cmp_1'),
  day: TODAY,
  spentToday: fromUsd(usdToday),
  spent: fromUsd(usdToday),
  ...more,
});

describe('getPace', () => {
  it.each([
    ['takes every opportunity if spend is exactly as planned', spent(50), '12:00:00', {}, 1],
    ['takes every opportunity if spend is behind the plan', spent(10), '12:00:00', {}, 1],
    ['takes half of the opportunities half a percent ahead at noon', spent(50.5), '12:00:00', {}, 0.5],
    ['takes no opportunity one percent ahead at noon', spent(51), '12:00:00', {}, 0],
    [
      'takes half of the opportunities one percent ahead at midnight, where the band is wider',
      spent(1),
      '00:00:00',
      {},
      0.5,
    ],
    ['keeps a small band until the end of the day', spent(99.9), '23:59:59', { budget: fromUsd(1_000) }, 1],
    ['takes half of the opportunities 0.1 percent ahead in the evening', spent(97.6), '23:24:00', {}, 0.5],
    ['takes no opportunity far ahead of the plan', spent(90), '12:00:00', {}, 0],
    ['takes every opportunity in the last second, regardless of what remains', spent(99), '23:59:59', {}, 1],
    ['starts the plan when the campaign was created', spent(50), '18:00:00', { createdAt: `${TODAY}T12:00:00Z` }, 1],
    ['is far ahead if the plan starts late', spent(75), '18:00:00', { createdAt: `${TODAY}T12:00:00Z` }, 0],
    [
      'starts the plan at the start date, if that is later',
      spent(50.5),
      '18:00:00',
      { startDate: `${TODAY}T12:00:00.000Z` },
      0.5,
    ],
    ['ignores spend of another day', spent(90, { day: '2026-11-19' }), '00:00:01', {}, 1],
    ['counts spend of a day that a faster clock has started', spent(90, { day: '2026-11-21' }), '23:59:59', {}, 1],
    ['plans toward the remaining total budget, if that is less', spent(10, { spent: fromUsd(980) }), '12:00:00', {}, 1],
    [
      'is ahead of the plan sooner with a smaller remaining total budget',
      spent(20, { spent: fromUsd(990) }),
      '12:00:00',
      {},
      0,
    ],
    ['plans toward the whole budget without a daily budget', spent(500), '12:00:00', { dailyBudget: null }, 1],
    ['plans toward the end date', spent(50), '06:00:00', { endDate: `${TODAY}T12:00:00.000Z` }, 1],
    ['takes no opportunity after the end date', spent(150), '18:00:00', { endDate: `${TODAY}T12:00:00.000Z` }, 0],
    [
      'takes every opportunity if the campaign has no duration',
      spent(0),
      '12:00:00',
      { createdAt: `${TODAY}T12:00:00.000Z`, endDate: `${TODAY}T12:00:00.000Z` },
      1,
    ],
    ['spends the last micro-dollar', spent(0), '12:00:00', { budget: micros(1), dailyBudget: null }, 1],
    ['takes no opportunity without a budget', spent(0), '12:00:00', { budget: fromUsd(0), dailyBudget: null }, 0],
  ])('%s', (_, stats, time, more, expected) => {
    expect(getPace(campaign(more), stats, at(time))).toBeCloseTo(expected, 2);
  });

  it('takes every opportunity at any time while nothing is spent', () => {
    const moment = fc.integer({ min: Date.UTC(2026, 10, 1), max: Date.UTC(2026, 11, 1) });
    fc.assert(
      fc.property(moment, moment, fc.option(moment), (now, created, start) => {
        const startDate = start === null ? null : new Date(start).toISOString();
        const begun = campaign({ createdAt: new Date(created).toISOString(), startDate });
        expect(getPace(begun, createSpendStats('cmp_1'), now)).toBe(1);
      }),
    );
  });

  it('is between 0 and 1, and never increases with spend', () => {
    const usd = fc.integer({ min: 0, max: 100 });
    const second = fc.integer({ min: 0, max: 86_399 });
    fc.assert(
      fc.property(usd, usd, second, (a, b, seconds) => {
        const now = at('00:00:00') + seconds * 1_000;
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map((usd) => getPace(campaign(), spent(usd), now)) as [
          number,
          number,
        ];
        expect(more).toBeLessThanOrEqual(less);
        expect(more).toBeGreaterThanOrEqual(0);
        expect(less).toBeLessThanOrEqual(1);
      }),
    );
  });
});
