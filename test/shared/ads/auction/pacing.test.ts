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

describe('Pacing', () => {
  it.each([
    ['takes every opportunity on the line', spent(50), '12:00:00', {}, 1],
    ['takes every opportunity behind it', spent(10), '12:00:00', {}, 1],
    ['takes half of them half a percent of the day ahead at noon', spent(50.5), '12:00:00', {}, 0.5],
    ['takes none from one percent ahead at noon', spent(51), '12:00:00', {}, 0],
    ['takes half of them one percent ahead at midnight, when the band is wider', spent(1), '00:00:00', {}, 0.5],
    ['keeps a little of the band to the end', spent(99.9), '23:59:59', { budget: fromUsd(1_000) }, 1],
    ['takes half of them a thousandth ahead in the evening', spent(97.6), '23:24:00', {}, 0.5],
    ['takes none far ahead', spent(90), '12:00:00', {}, 0],
    ['takes every one in the last moment, whatever is left', spent(99), '23:59:59', {}, 1],
    ['begins its line when the campaign began', spent(50), '18:00:00', { createdAt: `${TODAY}T12:00:00Z` }, 1],
    ['is far ahead by a line that begins late', spent(75), '18:00:00', { createdAt: `${TODAY}T12:00:00Z` }, 0],
    [
      'begins its line at the start date, if that is later',
      spent(50.5),
      '18:00:00',
      { startDate: `${TODAY}T12:00:00.000Z` },
      0.5,
    ],
    ['takes what was spent on another day for nothing today', spent(90, { day: '2026-11-19' }), '00:00:01', {}, 1],
    [
      'counts what was spent on a day that a faster clock has begun',
      spent(90, { day: '2026-11-21' }),
      '23:59:59',
      {},
      1,
    ],
    [
      'draws the line to what is left in total, when that is less',
      spent(10, { spent: fromUsd(980) }),
      '12:00:00',
      {},
      1,
    ],
    ['and is ahead of it sooner', spent(20, { spent: fromUsd(990) }), '12:00:00', {}, 0],
    ['draws the line to the whole budget without a daily one', spent(500), '12:00:00', { dailyBudget: null }, 1],
    ['draws the line to the end of its time', spent(50), '06:00:00', { endDate: `${TODAY}T12:00:00.000Z` }, 1],
    ['is past the end of its line after its time', spent(150), '18:00:00', { endDate: `${TODAY}T12:00:00.000Z` }, 0],
    [
      'takes every opportunity in a time without length',
      spent(0),
      '12:00:00',
      { createdAt: `${TODAY}T12:00:00.000Z`, endDate: `${TODAY}T12:00:00.000Z` },
      1,
    ],
    ['spends the last micro-dollar', spent(0), '12:00:00', { budget: micros(1), dailyBudget: null }, 1],
    ['takes nothing when there is no budget', spent(0), '12:00:00', { budget: fromUsd(0), dailyBudget: null }, 0],
  ])('%s', (_, stats, time, more, expected) => {
    expect(getPace(campaign(more), stats, at(time))).toBeCloseTo(expected, 2);
  });

  it('takes every opportunity while nothing is spent, at any moment of any day', () => {
    const moment = fc.integer({ min: Date.UTC(2026, 10, 1), max: Date.UTC(2026, 11, 1) });
    fc.assert(
      fc.property(moment, moment, fc.option(moment), (now, created, start) => {
        const startDate = start === null ? null : new Date(start).toISOString();
        const begun = campaign({ createdAt: new Date(created).toISOString(), startDate });
        expect(getPace(begun, createSpendStats('cmp_1'), now)).toBe(1);
      }),
    );
  });

  it('is a part from 0 to 1 that never grows with what is spent', () => {
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
