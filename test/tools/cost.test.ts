import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  computeLimits,
  DEFAULT_TRAFFIC,
  formatCapacityTable,
  formatDay,
  formatReports,
} from '../../tools/cost/capacity.ts';
import { bill, billAlone, sumBill } from '../../tools/cost/cost.ts';
import { BATCH_SIZES, type Counts, measureCounts } from '../../tools/cost/counts.ts';
import { fixedCosts, SNAPSHOT_WRITES } from '../../tools/cost/fixed.ts';
import { opinionTokens, phraseTokens } from '../../tools/cost/judge.ts';
import { KEY_DAYS, reportWrites, TALLIES } from '../../tools/cost/key-reports.ts';
import { prices } from '../../tools/cost/prices.ts';

let counts: Counts;
beforeAll(async () => {
  counts = await measureCounts();
});

const MILLION = { bids: 1e6, wins: 0.2, ctr: 0.02, receivers: 1 };

describe('What operations cost', () => {
  // The cost model computes with these measured figures, so a change of them changes the bill.
  it.each([
    ['bid', 2 + 1 / 98 + 1 / (14 * 30), 1.5],
    ['ad', 5.3, 3],
    ['click', 3.25, 63 / 12],
  ] as const)(
    'a step "%s" uses %d write units and %d read units, sharing what a busy campaign shares',
    (step, writes, reads) => {
      expect(counts[step].writes).toBeCloseTo(writes);
      expect(counts[step].reads).toBeCloseTo(reads);
    },
  );

  it('uses 1.8 write units and 2.2 to 2.4 read units for a delivery in a shared run, because receivers that respond together share a read', () => {
    expect(counts.delivery.writes).toBeCloseTo(1.8);
    expect(counts.delivery.reads).toBeGreaterThan(2.19);
    expect(counts.delivery.reads).toBeLessThan(2.41);
  });

  it.each([
    ['bid', 2, 1.5],
    ['unknownCreative', 2, 2.5],
    ['charge', 4.7, 2.5],
    ['notice', 1, 1],
    ['click', 6, 5],
  ] as const)('a step "%s" of OpenRTB uses %d write units and %d read units', (step, writes, reads) => {
    expect(counts.exchange[step].writes).toBeCloseTo(writes);
    expect(counts.exchange[step].reads).toBeCloseTo(reads);
  });

  it.each([
    ['offer', 2, 1.5],
    ['click', 12, 8],
  ] as const)('a step "%s" of Trusted Match uses %d write units and %d read units', (step, writes, reads) => {
    expect(counts.trustedMatch[step].writes).toBeCloseTo(writes);
    expect(counts.trustedMatch[step].reads).toBeCloseTo(reads);
  });

  it('uses one more read unit for a bid with a conversation id, and two write units for the ad', () => {
    const { unnamed, unlimited, limited } = counts.conversation;
    const unitsOf = ({ bid, ad }: typeof unnamed) => [bid.writes, bid.reads, ad.writes, ad.reads];
    expect(unitsOf(unnamed)).toEqual([2, 1.5, 5, 2]);
    expect(unitsOf(unlimited)).toEqual([2, 2.5, 5, 2]);
    expect(unitsOf(limited)).toEqual([2, 2.5, 7, 2]);
  });

  it.each([
    ['bid', 4],
    ['ad', 12],
    ['click', 10],
    ['delivery', 4],
  ] as const)('an "%s" that shares nothing uses %d write units', (step, writes) => {
    expect(counts.alone[step].writes).toBe(writes);
  });

  it('makes one queue request per delivery: messages are sent in fives, and received and deleted in small batches', () => {
    expect(counts.delivery.queueRequests).toBeCloseTo(1);
    expect(counts.alone.delivery.queueRequests).toBe(2); // in addition to sending it
  });

  it('makes one report write per second and shard for all keys, and one per key every minute', () => {
    const bids = BATCH_SIZES.keys * BATCH_SIZES.bidsOfKey;
    expect(bids).toBeCloseTo(100, -1);
    const { tallies, days } = reportWrites(bids, BATCH_SIZES.bidsOfKey, 1, false);
    expect(counts.bid.writesByTable[TALLIES]).toBeCloseTo(tallies / bids, 6);
    expect(counts.bid.writesByTable[KEY_DAYS]).toBeCloseTo(days / bids, 6);
    expect([tallies, days]).toEqual([expect.closeTo(1), expect.closeTo(BATCH_SIZES.keys / 60)]);
  });

  it('uses at most 0.15 write units per bid for reports and the tallies of breakdowns, at 100 bids per second or more', () => {
    const lines = formatReports(counts).split('\n').slice(2);
    expect(lines.map((line) => line.split(' | ')[0])).toEqual(['| 100', '| 500', '| 1,000', '| 10,000', '| 100,000']);
    for (const line of lines) {
      const units = Number(line.split(' | ')[2]);
      expect(units).toBeGreaterThan(0);
      expect(units).toBeLessThanOrEqual(0.15);
    }
  });

  it.each([
    ['shared batches', () => bill(MILLION, counts)['DynamoDB, breakdowns']!],
    ['batches of their own', () => billAlone(MILLION, counts.breakdowns)],
  ])('costs at most $0.15 to break down a million bids in %s', (_, cost) => {
    expect(cost()).toBeGreaterThan(0.01);
    expect(cost()).toBeLessThanOrEqual(0.15);
  });

  it.each([
    ['shared batches', () => bill(MILLION, counts)['DynamoDB, terms']!],
    ['batches of their own', () => billAlone(MILLION, counts.terms)],
  ])('costs at most $0.15 to count the terms of a million bids in %s', (_, cost) => {
    expect(cost()).toBeGreaterThan(0);
    expect(cost()).toBeLessThanOrEqual(0.15);
  });

  it('lists a week of a key’s figures for one read unit', () => {
    expect(counts.figuresOfKey.reads).toBeCloseTo(1);
    expect(counts.figuresOfKey.writes).toBe(0);
  });

  it('serves an ad for 5 write units, whatever the size of its creative', () => expect(counts.richAd.writes).toBe(5));

  it('logs less than 200 bytes per bid', () => expect(counts.bid.logBytes).toBeLessThan(200));

  it('reads less than 3 KB from tables per bid, including headers', () =>
    expect(counts.bid.answerBytes).toBeLessThan(3 * 1024));

  it('stores less than 1 KB per served ad', () => expect(counts.recordBytes).toBeLessThan(1024));
});

describe('A second opinion', () => {
  // Means of the sample conversations. A change of these figures changes the bill.
  it('takes 779 input tokens and 37 output tokens', () => {
    const { sent, answered } = opinionTokens();
    expect([Math.round(sent), answered]).toEqual([779, 37]);
  });

  it('costs its tokens and the time that bids wait for it, only for the share of bids that are judged', () => {
    const lines = (judged: number) => bill({ ...MILLION, judged }, counts);
    const { sent, answered } = opinionTokens();
    expect(lines(0)['Second opinion, model']).toBe(0);
    expect(lines(0)['Second opinion, waiting']).toBe(0);
    expect(lines(0.5)['Second opinion, model']).toBeCloseTo(0.5 * (sent * 0.035 + answered * 0.14));
    expect(lines(1)['Second opinion, waiting']).toBeCloseTo(2 * lines(0.5)['Second opinion, waiting']!);
    expect(bill(MILLION, counts)).toEqual(lines(0));
  });
});

it('takes 316 input tokens and 2,300 output tokens to suggest phrases for a campaign', () => {
  expect(phraseTokens()).toEqual({ sent: 316, answered: 2_300 });
});

describe('A bill', () => {
  it('for a million bids without wins is at most $2.70, without logs', () => {
    const { 'CloudWatch, logs': _, ...lines } = bill({ ...MILLION, wins: 0 }, counts);
    expect(sumBill(lines)).toBeLessThanOrEqual(2.7);
  });

  it('for a million bids with a win rate of 20 % is at most $4.60, including logs and refresh reads', () => {
    expect(sumBill(bill(MILLION, counts))).toBeLessThanOrEqual(4.6);
  });

  it('grows with traffic', () => {
    const one = sumBill(bill(MILLION, counts));
    expect(sumBill(bill({ ...MILLION, bids: 2e6 }, counts))).toBeCloseTo(2 * one);
    expect(sumBill(bill({ ...MILLION, receivers: 2 }, counts))).toBeGreaterThan(one);
    expect(sumBill(bill({ ...MILLION, bids: 0 }, counts))).toBe(0);
  });

  it('charges writes by unit', () => {
    const lines = bill({ ...MILLION, wins: 0 }, counts);
    expect(lines['DynamoDB, writes']).toBeCloseTo((1e6 * counts.bid.writes * 0.625) / 1e6);
  });
});

describe('The documents have the same costs as the tool', () => {
  const sumOf = (lines: Record<string, number>, pattern: RegExp) =>
    sumBill(Object.fromEntries(Object.entries(lines).filter(([name]) => pattern.test(name))));

  /** The dollar amounts that the groups of a pattern match in a document, across line breaks, without empty cells. */
  function dollarsIn(path: string, pattern: string): number[] {
    const document = readFileSync(path, 'utf8').replaceAll('\n', ' ');
    const found = new RegExp(pattern.replaceAll('$', String.raw`(?:\$(\d+(?:\.\d+)?)[.,]? )?`)).exec(`${document} `);
    if (!found) throw new Error(`${path} lacks ${pattern}`);
    return found.slice(1).map((dollars) => Number(dollars ?? 0));
  }
  /** Tolerates two cents, because the number of receivers that share a read varies between runs. */
  const areClose = (found: number[], dollars: number[]) =>
    found.length === dollars.length && found.every((one, at) => Math.abs(one - dollars[at]!) <= 0.021);
  const wrongIn = (path: string, figures: Record<string, number[]>) =>
    Object.entries(figures)
      .map(([pattern, dollars]) => ({ pattern, found: dollarsIn(path, pattern), dollars }))
      .filter(({ found, dollars }) => !areClose(found, dollars));

  it('for a million bids, in every document', () => {
    const total = sumBill(bill(MILLION, counts));
    const places = {
      'docs/operator.md': '$a million bids',
      'infra/README.md': 'a million bids cost about $',
    };
    const found = Object.entries(places).map(([path, pattern]) => dollarsIn(path, pattern)[0]!);
    expect(new Set(found).size).toBe(1);
    expect(areClose(found.slice(0, 1), [total])).toBe(true);
  });

  it('for second opinions', () => {
    const judged = bill({ ...MILLION, judged: 1 }, counts);
    const { sent, answered } = phraseTokens();
    const phrases = 1_000 * (sent * prices.modelTokenSent + answered * prices.modelTokenAnswered);
    const figures = {
      '$for a million of them': [judged['Second opinion, model']!],
      '$for the time in which bids wait': [judged['Second opinion, waiting']!],
      'Phrases for 1,000 campaigns cost about $': [phrases],
    };
    expect(wrongIn('infra/README.md', figures)).toEqual([]);
  });

  it('for fixed costs', () => {
    const fixed = fixedCosts(1_000);
    const snapshot = { 'at most $a month for each 1,000': [fixed['fixed: snapshot, at most']!] };
    expect(wrongIn('infra/README.md', snapshot)).toEqual([]);
    const writes = (SNAPSHOT_WRITES * 100_000).toLocaleString('en-US');
    expect(readFileSync('docs/benchmarks.md', 'utf8')).toContain(`${writes} write units at 100,000 campaigns`);
    // Compare whole dollars, because each additional alarm costs ten cents.
    const [basis] = dollarsIn('infra/README.md', 'costs about $a month without any traffic');
    expect(Math.abs(basis! - sumOf(fixed, /alarms|own metrics|dashboard|SQS/))).toBeLessThan(1);
  });
});

describe('The capacity model', () => {
  const page = readFileSync('docs/scale.md', 'utf8');

  it('matches every line of docs/scale.md', () => {
    for (const day of [1e6, 1e8, 1e9, 1e10]) expect(page).toContain(formatDay(day, counts));
    expect(page).toContain(formatCapacityTable({ ...DEFAULT_TRAFFIC, bidsPerSecond: 1_000 }, counts));
    expect(page).toContain(formatReports(counts));
  });

  it('scales every limit with traffic, except those of one shard and of writes shared by many bids', () => {
    const at = (bidsPerSecond: number) =>
      new Map(computeLimits({ ...DEFAULT_TRAFFIC, bidsPerSecond }, counts).map((limit) => [limit.name, limit]));
    const [less, more] = [at(10_000), at(20_000)];
    for (const [what, { used, grows, fullAt }] of less)
      if (!grows && !fullAt && !what.startsWith('news of spend'))
        expect(more.get(what)!.used, what).toBeCloseTo(2 * used);
    expect(less.get('facts to count a second and shard')!.max).toBeGreaterThanOrEqual(1_000);
  });
});
