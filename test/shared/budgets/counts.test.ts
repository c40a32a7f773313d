import { describe, expect, it } from 'vitest';
import { type Balance, emptyBalance } from '../../../shared/budgets/balance.ts';
import { getOpenDays, toCounts, toDate, toLedgerDay, toTotals } from '../../../shared/budgets/counts.ts';
import { type Micros, micros } from '../../../shared/platform/values/money.ts';

const DAY = '2026-11-20';

describe('the totals row', () => {
  it('counts a fact in the totals and for its day', () => {
    expect(toCounts(DAY, { clicks: 1, spend: 4 }, { clicks: 1 })).toEqual({
      clicks: 1,
      clicks_20261120: 1,
      spend_20261120: 4,
    });
  });

  it('distinguishes counts of days from its other attributes', () => {
    const row = {
      clicks: 9,
      clicks_20261120: 2,
      conversions_20261120: 1,
      clicks_20261121: 3,
      at_x: 'y',
      clicks_2026112: 8,
    };
    expect([...getOpenDays(row)]).toEqual([
      ['2026-11-20', { clicks: 2, conversions: 1 }],
      ['2026-11-21', { clicks: 3 }],
    ]);
    expect(getOpenDays().size).toBe(0);
  });

  it('counts charged clicks and conversions separately', () => {
    const row = {
      clicks: 9,
      unchargedClicks: 2,
      conversions: 5,
      unchargedConversions: 1,
      notRelevant: 3,
      tooManyClicks: 2,
    };
    expect(toTotals(row)).toMatchObject({
      clicks: 9,
      chargedClicks: 7,
      conversions: 5,
      chargedConversions: 4,
      notRelevant: 3,
      tooManyClicks: 2,
    });
    expect(toTotals()).toEqual({
      clicks: 0,
      chargedClicks: 0,
      conversions: 0,
      chargedConversions: 0,
      conversionValue: 0,
      notRelevant: 0,
      viewableImpressions: 0,
      tooFastClicks: 0,
      tooManyClicks: 0,
    });
  });

  it('has no conversion value if a previous version counted it, and never more than a number can hold', () => {
    expect(toTotals({ conversions: 5 }).conversionValue).toBe(0);
    expect(toTotals({ conversionValue: 9e18 as Micros }).conversionValue).toBe(Number.MAX_SAFE_INTEGER);
    expect(toLedgerDay(DAY, {}, undefined, getOpenDays({ conversionValue_20261120: 9e18 })).conversionValue).toBe(
      Number.MAX_SAFE_INTEGER,
    );
  });

  it('never has more charged clicks than clicks, even if an earlier version subtracted one too many', () => {
    expect(toTotals({ clicks: 9, unchargedClicks: -1 }).chargedClicks).toBe(9);
  });
});

describe('the counts of a day', () => {
  const row = {
    impressions: 1,
    clicks: 2,
    conversions: 3,
    spend: micros(4),
    conversionValue: micros(5),
    notRelevant: 6,
    viewableImpressions: 7,
    tooFastClicks: 8,
    tooManyClicks: 9,
  };
  const open = new Map([
    [
      DAY,
      {
        impressions: 10,
        clicks: 20,
        conversions: 30,
        spend: 40,
        conversionValue: 50,
        notRelevant: 60,
        viewableImpressions: 70,
        tooFastClicks: 80,
        tooManyClicks: 90,
      },
    ],
  ]);
  const balance: Balance = { ...emptyBalance('c'), countDay: DAY, dayImpressions: 100, daySpend: micros(400) };

  it('are the sum of its row, the totals row, and the balance', () => {
    const sums = {
      date: DAY,
      impressions: 111,
      clicks: 22,
      conversions: 33,
      spend: 444,
      conversionValue: 55,
      notRelevant: 66,
      viewableImpressions: 77,
      tooFastClicks: 88,
      tooManyClicks: 99,
    };
    expect(toLedgerDay(DAY, row, balance, open)).toEqual(sums);
  });

  it('exclude counts of the balance that its row already contains', () => {
    expect(toLedgerDay(DAY, { ...row, folded: true }, balance, open)).toMatchObject({ impressions: 11, spend: 44 });
  });

  it('exclude a balance that counts another day', () => {
    const other = { ...balance, countDay: '2026-11-21' };
    expect(toLedgerDay(DAY, row, other, open)).toMatchObject({ impressions: 11, spend: 44 });
  });

  it('are zero without any counts', () => {
    expect(toLedgerDay(DAY)).toMatchObject({
      impressions: 0,
      clicks: 0,
      conversions: 0,
      spend: 0,
      conversionValue: 0,
      notRelevant: 0,
      viewableImpressions: 0,
      tooFastClicks: 0,
      tooManyClicks: 0,
    });
  });

  it('have their date in the row key', () => expect(toDate(`day#${DAY}`)).toBe(DAY));
});
