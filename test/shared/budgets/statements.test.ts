import { describe, expect, it } from 'vitest';
import { buildStatements, type StatementPage, splitIntoPages } from '../../../shared/budgets/statements.ts';
import { MAX_MESSAGE_BYTES, messageText } from '../../../shared/platform/queue.ts';
import { micros } from '../../../shared/platform/values/money.ts';
import { announceStatement } from '../../../shared/webhooks/events/announce.ts';
import { createEventId } from '../../../shared/webhooks/events/event-id.ts';

const row = (campaignId: string, spend: number) => ({
  campaignId,
  date: '2026-11-20',
  impressions: Number.MAX_SAFE_INTEGER,
  clicks: Number.MAX_SAFE_INTEGER,
  conversions: 0,
  spend: micros(spend),
  conversionValue: micros(0),
  notRelevant: 0,
  viewableImpressions: 0,
  tooFastClicks: 0,
  tooManyClicks: 0,
});
const idOf = (index: number) => `cmp_${String(index).padStart(20, '0')}`;
const named = (count: number, name = 'One') =>
  new Map(Array.from({ length: count }, (_, i) => [idOf(i), { owner: 'alice', name }]));
const statementOf = (count: number, name?: string) => {
  const rows = Array.from({ length: count }, (_, i) => row(idOf(i), 1_000_000_000_000 - i)).reverse();
  return buildStatements(rows, named(count, name), '2026-11-20', 7)[0]!;
};

describe('statements', () => {
  it('list campaigns with spend, oldest first', () => {
    const rows = [row(idOf(2), 9), row(idOf(1), 0), row(idOf(0), 5)];
    const [statement] = buildStatements(rows, named(3), '2026-11-20', 7);
    expect(statement).toMatchObject({ owner: 'alice', date: '2026-11-20', spend: 14, at: 7 });
    expect(statement!.campaigns.map(({ campaignId }) => campaignId)).toEqual([idOf(0), idOf(2)]);
  });

  it.each([
    [1, [1]],
    [100, [100]],
    [101, [100, 1]],
    [5_000, Array(50).fill(100)],
  ])('of %i campaigns list every one, in pages of a hundred', (count, lengths) => {
    const statement = statementOf(count);
    const pages = splitIntoPages(statement);
    expect(pages.map(({ campaigns }) => campaigns.length)).toEqual(lengths);
    expect(pages.flatMap(({ campaigns }) => campaigns)).toEqual(statement.campaigns);
    expect(pages.every(({ spend, pages }) => spend === statement.spend && pages === lengths.length)).toBe(true);
    expect(pages.map(({ date }) => date)).toEqual(lengths.map((_, index) => `2026-11-20#${index + 1}`));
  });

  it.each(['€'.repeat(200), '😀'.repeat(100), '"'.repeat(200), '\uffff'.repeat(200)])(
    'fit into a message with room to spare, for any campaign names: %s',
    (name) => {
      const [page] = splitIntoPages(statementOf(200, name));
      const { event } = announceStatement({ ...page!, owner: 'x'.repeat(128) });
      expect(Buffer.byteLength(messageText(event))).toBeLessThan(0.6 * MAX_MESSAGE_BYTES);
    },
  );

  it('send an event for each page, and an unchanged one for statements stored before there were pages', () => {
    const ids = splitIntoPages(statementOf(201)).map((page) => announceStatement(page).event.id);
    expect(new Set(ids).size).toBe(3);
    const { pages, page, ...first } = splitIntoPages(statementOf(1))[0]!;
    const old: StatementPage = { ...first, date: '2026-11-20' };
    expect(announceStatement(old).event).toMatchObject({
      id: createEventId('account.billing', 'alice 2026-11-20', 7),
      data: { date: '2026-11-20', page: 1, pages: 1 },
    });
  });
});
