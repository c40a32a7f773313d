import { describe, expect, it } from 'vitest';
import {
  presentDays,
  REPORT_COLUMNS,
  reportQuery,
  resolvePeriod,
  toCsv,
  wantsCsv,
} from '../../../shared/budgets/report.ts';
import { micros } from '../../../shared/platform/values/money.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const covers = (query: object) => {
  const { from, to } = resolvePeriod(reportQuery.parse(query), NOW);
  return `${from} ${to}`;
};

describe('the period of a report', () => {
  it.each([
    ['thirty days up to today', {}, '2026-10-22 2026-11-20'],
    ['up to today from a day', { from: '2026-11-01' }, '2026-11-01 2026-11-20'],
    ['a year from a day long ago', { from: '2020-02-29' }, '2020-02-29 2021-02-28'],
    ['a day that has not come, alone', { from: '2027-01-01' }, '2027-01-01 2027-01-01'],
    ['thirty days up to a day', { to: '2026-03-01' }, '2026-01-31 2026-03-01'],
    ['a few days of the past', { from: '2026-11-01', to: '2026-11-05' }, '2026-11-01 2026-11-05'],
    ['one day', { from: '2026-11-20', to: '2026-11-20' }, '2026-11-20 2026-11-20'],
    ['366 days', { from: '2024-01-01', to: '2024-12-31' }, '2024-01-01 2024-12-31'],
    ['the last days that there are', { from: '2999-12-31' }, '2999-12-31 2999-12-31'],
    ['the first days that there are', { to: '2000-01-01' }, '1999-12-03 2000-01-01'],
  ])('is %s', (_, query, expected) => {
    expect(covers(query)).toBe(expected);
  });

  it.each([
    ['367 days', { from: '2024-01-01', to: '2025-01-01' }, 'a report covers at most 366 days'],
    ['an end before its beginning', { from: '2026-11-20', to: '2026-11-19' }, 'to must not be before from'],
    ['a day that does not exist', { from: '2026-02-30' }, /^from must be a date such as 2026-11-20/],
    ['a time', { to: '2026-11-20T00:00:00Z' }, /^to must be a date/],
    ['the year 0', { to: '0000-01-05' }, /^to must be a date/],
    ['the year 9999', { from: '9999-12-31' }, /^from must be a date/],
    ['two beginnings', { from: ['2026-11-20', '2026-11-21'] }, /^from must be a date/],
  ])('rejects %s', (_, query, message) => {
    const parsed = reportQuery.safeParse(query);
    expect(parsed.success).toBe(false);
    expect(parsed.error!.issues[0]!.message).toMatch(message);
  });
});

describe('the days of a report', () => {
  const [spend, conversionValue] = [micros(12_345), micros(89_900_000)];
  const days = [
    {
      date: '2026-02-28',
      impressions: 3,
      clicks: 1,
      conversions: 1,
      spend,
      conversionValue,
      notRelevant: 2,
      viewableImpressions: 3,
      tooFastClicks: 0,
      tooManyClicks: 1,
    },
  ];

  it('are complete and in order across months, with zeros for days without activity', () => {
    const none = {
      impressions: 0,
      clicks: 0,
      conversions: 0,
      spend: 0,
      conversionValue: 0,
      notRelevant: 0,
      viewableImpressions: 0,
      suspectClicks: { tooFast: 0, tooMany: 0 },
    };
    expect(presentDays(days, '2026-02-27', '2026-03-01')).toEqual([
      { date: '2026-02-27', ...none },
      {
        date: '2026-02-28',
        impressions: 3,
        clicks: 1,
        conversions: 1,
        spend: 0.012345,
        conversionValue: 89.9,
        notRelevant: 2,
        viewableImpressions: 3,
        suspectClicks: { tooFast: 0, tooMany: 1 },
      },
      { date: '2026-03-01', ...none },
    ]);
  });

  it('are at most 366', () => {
    expect(presentDays([], '2024-01-01', '2024-12-31')).toHaveLength(366);
  });

  it('are formatted as CSV with a header and CRLF line ends (RFC 4180)', () => {
    expect(toCsv(REPORT_COLUMNS, presentDays(days, '2026-02-28', '2026-03-01'))).toBe(
      'date,impressions,clicks,conversions,spend,conversionValue,notRelevant,viewableImpressions,suspectClicks.tooFast,suspectClicks.tooMany\r\n2026-02-28,3,1,1,0.012345,89.9,2,3,0,1\r\n2026-03-01,0,0,0,0,0,0,0,0,0\r\n',
    );
  });

  it('never contain an amount with an exponent', () => {
    const [line] = presentDays([{ ...days[0]!, spend: micros(1) }], '2026-02-28', '2026-02-28');
    expect(toCsv(REPORT_COLUMNS, [line!])).toContain(',0.000001,89.9,2,3,0,1\r\n');
  });

  it.each([
    ['text/csv', true],
    ['application/json, Text/CSV;q=0.9', true],
    ['application/json', false],
    ['text/csvx', false],
    [undefined, false],
  ])('are CSV depending on the Accept header: %s (%s)', (accept, expected) => {
    expect(wantsCsv(accept)).toBe(expected);
  });
});

describe('a value in CSV', () => {
  it.each([
    ['is quoted if it contains a comma', 'Shoes, red', '"Shoes, red"'],
    ['is quoted with doubled quotation marks', 'the "best"', '"the ""best"""'],
    ['is quoted if it contains a line end', 'one\ntwo', '"one\ntwo"'],
    ['stays text in a spreadsheet if it begins like a formula', '=1+1', "'=1+1"],
    ['stays text in a spreadsheet if it begins like a formula in wide characters', '＝1+1', "'＝1+1"],
    ['is empty if there is none', null, ''],
    ['is a plain number, also below zero', -1.5, '-1.5'],
  ])('%s', (_, value, cell) => {
    expect(toCsv(['name'], [{ name: value }])).toBe(`name\r\n${cell}\r\n`);
  });
});
