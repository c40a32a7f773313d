import { describe, expect, it } from 'vitest';
import { accountDayStore } from '../../../shared/budgets/account-days.ts';
import { micros } from '../../../shared/platform/values/money.ts';
import { createMemoryDatabase } from '../../memory/database.ts';
import { untyped } from '../../memory/untyped-database.ts';

const DATE = '2026-11-20';
const counts = {
  clicks: 1,
  conversions: 0,
  spend: micros(0),
  conversionValue: micros(0),
  notRelevant: 0,
  viewableImpressions: 0,
  tooFastClicks: 0,
  tooManyClicks: 0,
};

describe('A day that is counted again after it was summed', () => {
  const open = () => {
    const store = accountDayStore({ db: createMemoryDatabase() });
    const sum = (impressions: number) =>
      store.store(DATE, [{ campaignId: 'cmp_1', date: DATE, impressions, ...counts }], () => 'ann');
    return { ...store, sum };
  };

  it('is due until the sum that follows the last count', async () => {
    const { sum, due, noteLate, settleLate } = open();
    await sum(1);
    expect(await due([DATE])).toEqual([]);
    await noteLate(DATE, 'first');
    const [{ late = '' } = {}] = await due([DATE]);
    await noteLate(DATE, 'second'); // while the day is summed
    await sum(2);
    await settleLate(DATE, late);
    expect(await due([DATE])).toEqual([{ date: DATE, late: 'second' }]);
    await settleLate(DATE, 'second');
    expect(await due([DATE])).toEqual([]);
  });

  it('is no day that was summed if it never was', async () => {
    const { due, unsummed, noteLate } = open();
    await noteLate(DATE, 'first');
    expect([await unsummed([DATE]), await due([DATE])]).toEqual([[DATE], [{ date: DATE, late: undefined }]]);
  });
});

describe('A day that the previous version summed', () => {
  it('has no count of the latest kinds, until it is summed again', async () => {
    const db = createMemoryDatabase();
    const { list, store } = accountDayStore({ db });
    const { viewableImpressions: _, tooFastClicks: __, tooManyClicks: ___, ...earlier } = counts;
    await untyped(db).write({
      table: 'account-days',
      put: { owner: 'ann', day: DATE, ...earlier, impressions: 3, ttl: 4e9 },
    });
    const latest = { viewableImpressions: 2, tooFastClicks: 1, tooManyClicks: 1 };
    expect(await list('ann', DATE, DATE)).toMatchObject([{ date: DATE, ...counts, impressions: 3 }]);
    await store(DATE, [{ campaignId: 'cmp_1', date: DATE, ...counts, impressions: 3, ...latest }], () => 'ann');
    expect(await list('ann', DATE, DATE)).toMatchObject([{ date: DATE, ...counts, impressions: 3, ...latest }]);
  });
});
