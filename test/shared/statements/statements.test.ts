import { describe, expect, it } from 'vitest';
import { statementData } from '../../../shared/events/data.ts';
import { micros } from '../../../shared/money.ts';
import { statementsOf } from '../../../shared/statements/store.ts';

const row = (campaignId: string, spend: number) => ({
  campaignId,
  date: '2026-11-20',
  impressions: 2,
  clicks: 1,
  conversions: 0,
  spend: micros(spend),
});
const named = (count: number) =>
  new Map(Array.from({ length: count }, (_, i) => [`cmp_${i}`, { owner: 'alice', name: '€'.repeat(200) }]));

describe('Statements', () => {
  it('list campaigns by what they spent, and leave out those that spent nothing', () => {
    const [statement] = statementsOf([row('cmp_0', 5), row('cmp_1', 0), row('cmp_2', 9)], named(3), '2026-11-20', 7);
    expect(statement).toMatchObject({ owner: 'alice', date: '2026-11-20', spend: 14, at: 7 });
    expect(statement!.campaigns.map(({ campaignId }) => campaignId)).toEqual(['cmp_2', 'cmp_0']);
  });

  it('fit the store and the queue whoever has however many campaigns, and still add up', () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => row(`cmp_${i}`, 1_000_000_000_000 - i));
    const [statement] = statementsOf(rows, named(5_000), '2026-11-20', 7);
    const { campaigns, spend } = statement!;
    expect(campaigns).toHaveLength(200);
    expect(campaigns.at(-1)).toMatchObject({
      campaignId: '',
      campaignName: '4801 other campaigns',
      impressions: 9_602,
    });
    expect(campaigns.reduce((sum, line) => sum + line.spend, 0)).toBe(spend);
    expect(Buffer.byteLength(JSON.stringify(statementData(statement!)))).toBeLessThan(200 * 1024);
  });
});
