import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getPriceTerms, isPaced, type PricedCampaign, priceBid } from '../../../../shared/ads/auction/price.ts';
import { estimateClickRate, estimateConversionRate, USUAL_CLICK_RATE } from '../../../../shared/ads/auction/rates.ts';
import { BID_STRATEGIES } from '../../../../shared/campaigns/campaign.ts';
import { createSpendStats, type SpendStats } from '../../../../shared/campaigns/spend-stats.ts';
import { fromUsd, toUsd } from '../../../../shared/platform/values/money.ts';

const fresh = createSpendStats('cmp_1');
const history = (impressions: number, clicks: number, conversions = 0): SpendStats => ({
  ...fresh,
  impressions,
  clicks,
  chargedClicks: clicks,
  conversions,
  chargedConversions: conversions,
});
const campaign = (
  bidStrategy: PricedCampaign['bidStrategy'],
  maxCpb = 5,
  targetCpa: number | null = null,
): PricedCampaign => ({
  bidStrategy,
  maxCpb: fromUsd(maxCpb),
  targetCpa: targetCpa === null ? null : fromUsd(targetCpa),
});
const usd = (...given: Parameters<typeof priceBid>) => toUsd(priceBid(...given));

describe('expected rates', () => {
  it('are the default rates for a campaign without history', () => {
    expect(estimateClickRate(fresh, 0.7)).toBeCloseTo(0.01, 10);
    expect(estimateConversionRate(fresh)).toBeCloseTo(0.02, 10);
  });

  it.each([
    ['stay near the default after a few impressions', history(10, 1), (1 + 5) / 510],
    ['are the mean of default and history when both weigh the same', history(500, 15), 0.02],
    ["approach the campaign's own after many impressions", history(1_000_000, 50_000), 0.05],
    ['fall without clicks', history(500, 0), 0.005],
  ])('%s', (_, stats, expected) => {
    expect(estimateClickRate(stats, 0.7)).toBeCloseTo(expected, 4);
  });

  it('count only clicks of charged impressions and their conversions', () => {
    const uncharged = { ...history(500, 1_000, 40), chargedClicks: 15, chargedConversions: 3 };
    expect(estimateClickRate(uncharged, 0.7)).toBeCloseTo(0.02, 10);
    expect(estimateConversionRate(uncharged)).toBe(estimateConversionRate(history(500, 15, 3)));
  });

  it('are proportional to relevance, and never above 1', () => {
    expect(estimateClickRate(fresh, 0.35)).toBeCloseTo(0.005, 10);
    expect(estimateClickRate(history(10, 1_000_000), 1)).toBe(1);
    expect(estimateConversionRate(history(0, 1, 1_000_000))).toBe(1);
  });
});

describe('the price', () => {
  it('of manual is always exactly maxCpb', () => {
    expect(usd(campaign('manual', 4.567), history(10, 10), 0.31, 0)).toBe(4.567);
  });

  it('of auto is maxCpb times relevance, lowered by pace to at most three quarters', () => {
    expect(usd(campaign('auto'), fresh, 1, 1)).toBe(5);
    expect(usd(campaign('auto'), fresh, 0.5, 1)).toBe(2.5);
    expect(usd(campaign('auto'), fresh, 0.5, 0.5)).toBe(2.187); // 5 x 0.5 x 0.875
    expect(usd(campaign('auto'), fresh, 0.5, 0)).toBe(1.875);
  });

  it('of maximize_clicks scales maxCpb by the expected click rate: half of it at the default rate', () => {
    expect(usd(campaign('maximize_clicks'), fresh, 0.7, 1)).toBe(2.5);
    expect(usd(campaign('maximize_clicks'), history(500, 10), 0.7, 1)).toBe(3.75); // 0.015 of 0.02
    expect(usd(campaign('maximize_clicks'), history(500, 100), 0.7, 1)).toBe(5);
    expect(usd(campaign('maximize_clicks'), fresh, 0.7, 0)).toBe(2.5); // pace lowers the number of bids, not the price
  });

  it('of target_cpa is the expected conversions per thousand impressions times targetCpa, at most maxCpb', () => {
    expect(usd(campaign('target_cpa', 50, 40), fresh, 0.7, 1)).toBe(8); // 1,000 x 0.01 x 0.02 x 40
    expect(usd(campaign('target_cpa', 50, 40), history(10_000, 100, 10), 0.7, 1)).toBe(29.333); // 0.01 x 11 / 150
    expect(usd(campaign('target_cpa', 5, 40), fresh, 0.7, 1)).toBe(5);
    expect(usd(campaign('target_cpa', 5, 0), fresh, 0.7, 1)).toBe(0);
  });

  it('of target_cpa without a target equals the price of auto', () => {
    expect(usd(campaign('target_cpa'), fresh, 0.5, 1)).toBe(2.5);
  });

  it('is rounded down to three decimals', () => {
    expect(usd(campaign('auto', 1), fresh, 0.123456, 1)).toBe(0.123);
    expect(usd(campaign('auto', 1), fresh, 0.1239999, 1)).toBe(0.123);
    expect(usd(campaign('auto', 0.001), fresh, 0.9, 1)).toBe(0);
  });

  it('is between 0 and maxCpb, and whole micro-dollars per impression, for any history', () => {
    const count = fc.integer({ min: 0, max: 1e9 });
    const part = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.constantFrom(...BID_STRATEGIES),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.option(fc.integer({ min: 0, max: 1e9 })),
        fc.tuple(count, count, count),
        part,
        part,
        (strategy, maxCpb, targetCpa, [impressions, clicks, conversions], relevance, pace) => {
          const given = campaign(strategy, maxCpb / 1_000, targetCpa);
          const bid = priceBid(given, history(impressions, clicks, conversions), relevance, pace);
          expect(bid).toBeLessThanOrEqual(given.maxCpb);
          expect(bid).toBeGreaterThanOrEqual(0);
          expect(bid % 1_000).toBe(0);
        },
      ),
      { numRuns: 500 },
    );
  });
});

it('is paced only for auto and maximize_clicks', () => {
  expect(BID_STRATEGIES.filter((bidStrategy) => isPaced({ bidStrategy }))).toEqual(['auto', 'maximize_clicks']);
});

describe('the terms of a price', () => {
  /** Calculates a price from the terms that X-Debug shows. */
  const workedOut: Record<
    PricedCampaign['bidStrategy'],
    (c: PricedCampaign, t: ReturnType<typeof getPriceTerms>, relevance: number) => number
  > = {
    manual: ({ maxCpb }) => maxCpb,
    auto: ({ maxCpb }, { pace }, relevance) => maxCpb * relevance * (0.75 + 0.25 * pace!),
    maximize_clicks: ({ maxCpb }, { clickRate }) => (maxCpb * clickRate!) / (2 * USUAL_CLICK_RATE),
    target_cpa: (_, { clickRate, conversionRate, targetCpa }) => 1000 * clickRate! * conversionRate! * targetCpa!,
  };
  it.each(BID_STRATEGIES)('suffice to calculate the price: %s', (strategy) => {
    const given = campaign(strategy, 5, strategy === 'target_cpa' ? 4 : null);
    const stats = history(1_000, 20, 3);
    const terms = getPriceTerms(given, stats, 0.8, 0.5);
    const expected = Math.min(given.maxCpb, workedOut[strategy](given, terms, 0.8));
    expect(priceBid(given, stats, 0.8, 0.5)).toBe(Math.floor(expected / 1000) * 1000);
  });

  it.each<[PricedCampaign['bidStrategy'], number | null, object]>([
    ['manual', 4, {}],
    ['auto', 4, { pace: 0.5 }],
    ['maximize_clicks', 4, { pace: 0.5, clickRate: 0.01 }],
    ['target_cpa', 4, { clickRate: 0.01, conversionRate: 0.02, targetCpa: 4_000_000 }],
    ['target_cpa', null, { pace: 0.5 }],
  ])('of %s with the target %s contain only what the strategy uses', (strategy, targetCpa, expected) => {
    const terms = getPriceTerms(campaign(strategy, 5, targetCpa), fresh, 0.7, 0.5);
    expect(Object.keys(terms)).toEqual(Object.keys(expected));
    for (const [name, value] of Object.entries(expected)) expect(Reflect.get(terms, name)).toBeCloseTo(value, 10);
  });
});
