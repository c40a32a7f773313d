import { describe, expect, it } from 'vitest';
import { toBreakdownRows } from '../../../shared/budgets/breakdown.ts';
import type { Amounts } from '../../../shared/platform/count-once.ts';

const DAY = '2026-11-20';
const day = (values: Record<string, Amounts>, date = DAY) => ({ date, values: new Map(Object.entries(values)) });
const totals = (total: Amounts, date = DAY) => new Map([[date, total]]);

describe('The rows of a breakdown', () => {
  it('add up to the totals, with what the breakdown lacks as unattributed', () => {
    const days = [day({ US: { impressions: 3, spend: 300 }, DE: { impressions: 1, clicks: 1, spend: 100 } })];
    expect(toBreakdownRows(days, totals({ impressions: 5, clicks: 1, conversions: 0, spend: 500 }))).toEqual([
      { date: DAY, value: 'US', counts: { impressions: 3, spend: 300 } },
      { date: DAY, value: 'DE', counts: { impressions: 1, clicks: 1, spend: 100 } },
      { date: DAY, value: 'unattributed', counts: { impressions: 1, clicks: 0, conversions: 0, spend: 100 } },
    ]);
  });

  it('have no unattributed one while the breakdown has everything, or is ahead for a moment', () => {
    const days = [day({ US: { impressions: 3 }, none: { clicks: 1 } })];
    const rows = [expect.objectContaining({ value: 'US' }), expect.objectContaining({ value: 'none' })];
    expect(toBreakdownRows(days, totals({ impressions: 3, clicks: 1 }))).toEqual(rows);
    expect(toBreakdownRows(days, totals({ impressions: 2, clicks: 0 }))).toEqual(rows);
  });

  it('are unattributed on days before breakdowns were counted, and absent on days without counts', () => {
    const all = new Map([
      ['2026-11-18', { impressions: 2 }],
      ['2026-11-19', { impressions: 0 }],
      [DAY, { impressions: 1 }],
    ]);
    expect(toBreakdownRows([day({ US: { impressions: 1 } })], all).map(({ date, value }) => [date, value])).toEqual([
      ['2026-11-18', 'unattributed'],
      [DAY, 'US'],
    ]);
  });

  it('name the 50 values with the most impressions of the period, the same every day, and sum the rest with what was stored as other', () => {
    const values = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`v${String(index).padStart(2, '0')}`, { impressions: 60 - index }]),
    );
    const first = day({ ...values, other: { impressions: 7 } }, '2026-11-19');
    const second = day({ v59: { impressions: 100 }, v00: { impressions: 1 }, v58: { impressions: 2 } });
    const all = new Map([
      ['2026-11-19', { impressions: 1_837 }],
      [DAY, { impressions: 103 }],
    ]);
    const rows = toBreakdownRows([first, second], all);
    const ofFirst = rows.filter(({ date }) => date === '2026-11-19');
    expect(ofFirst.map(({ value }) => value)).toEqual(['v59', ...Object.keys(values).slice(0, 49), 'other']);
    expect(ofFirst.at(-1)?.counts).toEqual({ impressions: 11 + 10 + 9 + 8 + 7 + 6 + 5 + 4 + 3 + 2 + 7 });
    expect(rows.filter(({ date }) => date === DAY).map(({ value, counts }) => [value, counts])).toEqual([
      ['v59', { impressions: 100 }],
      ['v00', { impressions: 1 }],
      ['other', { impressions: 2 }],
    ]);
    expect(rows.reduce((sum, { counts }) => sum + (counts.impressions ?? 0), 0)).toBe(1_940);
  });
});
