import { describe, expect, it } from 'vitest';
import {
  createTieBreaker,
  type Demand,
  holdAuction,
  type Opportunity,
} from '../../../../shared/ads/auction/auction.ts';
import { presentPrice } from '../../../../shared/ads/auction/present.ts';
import { getPace } from '../../../../shared/ads/auction/price.ts';
import { toBiddable } from '../../../../shared/campaigns/biddable.ts';
import type { Campaign } from '../../../../shared/campaigns/campaign.ts';
import { createCampaign } from '../../../../shared/campaigns/campaign-schema.ts';
import { merge } from '../../../../shared/campaigns/merge.ts';
import { createSpendStats, type SpendStats } from '../../../../shared/campaigns/spend-stats.ts';
import { type MatchCandidate, type MatchOptions, RELEVANCE_MODEL } from '../../../../shared/matching/index.ts';
import { fromUsd, micros } from '../../../../shared/platform/values/money.ts';

const NOW = Date.UTC(2026, 10, 20, 12);

interface Entry {
  body?: object;
  relevance?: number;
  closeness?: number;
  outcome?: MatchCandidate['outcome'];
  stats?: Partial<SpendStats>;
}

const campaignOf = (id: string, body: object): Campaign => ({
  ...merge(
    createCampaign.parse({
      name: id,
      budget: 10,
      bidStrategy: 'manual',
      maxCpb: 4,
      status: 'active',
      targetAudience: { keywords: ['x'] },
      creative: { headline: 'x', landingUrl: 'https://x.example' },
      ...body,
    }),
  ),
  id,
  owner: 'alice',
  pausedReason: null,
  pausedDay: null,
  exhaustions: 0,
  profile: { v: '', k: '', x: '', t: [], l: '', n: -1, w: '' },
  createdAt: '2026-11-19T00:00:00.000Z',
  updatedAt: '2026-11-19T00:00:00.000Z',
  changedAt: 0,
  version: 1,
});

/** Demand with fixed match results. It requests a bid for each match, as the engine does. */
function demandOf(entries: Record<string, Entry>): Demand {
  const known = Object.entries(entries).map(([id, { body = {}, stats = {}, ...entry }]) => ({
    id,
    campaign: toBiddable(campaignOf(id, body)),
    stats: { ...createSpendStats(id), ...stats },
    relevance: entry.relevance ?? 0.8,
    closeness: entry.closeness ?? 0,
    outcome: entry.outcome ?? ('match' as const),
  }));
  return {
    find: (id) => known.find((one) => one.id === id)!,
    match: (_, { bid }) => ({
      noBid: null,
      context: { topics: [], language: null },
      candidates: known.map(({ id, relevance, closeness, outcome }) => {
        const price = outcome === 'match' ? bid(id, relevance) : 0;
        return {
          id,
          relevance,
          bid: price,
          closeness,
          matched: [],
          outcome: outcome === 'match' && price <= 0 ? 'refused' : outcome,
          isHeldBack: outcome === 'below_threshold',
        };
      }),
    }),
  };
}

const opportunity: Opportunity = {
  messages: [],
  countryCode: 'US',
  floor: micros(0),
  adStrictness: 'balanced',
  now: NOW,
  random: () => 0.5,
  debug: true,
};
const hold = (entries: Record<string, Entry>, more: Partial<Opportunity> = {}) =>
  holdAuction(demandOf(entries), { ...opportunity, ...more }, createTieBreaker());
const outcomes = (entries: Record<string, Entry>, more?: Partial<Opportunity>) =>
  Object.fromEntries(hold(entries, more).candidates.map(({ campaign, outcome }) => [campaign.id, outcome]));

describe('holdAuction', () => {
  it.each(['strict', 'balanced', 'open'] as const)(
    'asks for matches at the threshold of a %s publisher',
    (adStrictness) => {
      const asked: MatchOptions[] = [];
      const demand = demandOf({ a: {} });
      const asking: Demand = {
        ...demand,
        match(messages, options) {
          asked.push(options);
          return demand.match(messages, options);
        },
      };
      const auction = holdAuction(asking, { ...opportunity, adStrictness }, createTieBreaker());
      const threshold = RELEVANCE_MODEL.thresholds[adStrictness];
      expect([asked[0]?.threshold, auction.threshold, auction.adStrictness]).toEqual([
        threshold,
        threshold,
        adStrictness,
      ]);
    },
  );

  it('names the strictest level that would fill the request: that of the winner, or of the best that could bid', () => {
    const thresholds = { strict: 0.9, balanced: 0.6, open: 0.3 };
    const fillsAt = (entries: Record<string, Entry>, more: Partial<Opportunity> = {}) =>
      holdAuction({ ...demandOf(entries), thresholds }, { ...opportunity, ...more }, createTieBreaker()).fillsAt;
    const below = (relevance: number, body: object = {}) => ({ relevance, outcome: 'below_threshold' as const, body });
    expect([0.95, 0.9, 0.89, 0.6, 0.3].map((relevance) => fillsAt({ a: { relevance } }))).toEqual([
      'strict',
      'strict',
      'balanced',
      'balanced',
      'open',
    ]);
    expect(fillsAt({ a: { relevance: 0.65 }, b: below(0.5) })).toBe('balanced');
    expect(fillsAt({ a: below(0.5), b: below(0.7) })).toBe('balanced');
    expect(fillsAt({ a: below(0.5), b: below(0.7, { targetAudience: { keywords: ['x'], countries: ['DE'] } }) })).toBe(
      'open',
    );
    expect(fillsAt({ a: below(0.5), b: below(0.7) }, { floor: fromUsd(900) })).toBeNull();
    expect([fillsAt({ a: below(0.2) }), fillsAt({})]).toEqual([null, null]);
  });

  it('selects the highest bid times relevance, not the highest bid', () => {
    const { winner, candidates } = hold({
      rich: { body: { maxCpb: 6 }, relevance: 0.5 },
      right: { body: { maxCpb: 4 }, relevance: 0.9 },
    });
    expect(winner?.campaign.id).toBe('right');
    expect(candidates.map(({ campaign, outcome }) => [campaign.id, outcome])).toEqual([
      ['right', 'won'],
      ['rich', 'lower_rank'],
    ]);
  });

  it('admits a campaign in each of its countries', () => {
    const audience = { keywords: ['x'], countries: ['DE', 'US'] };
    expect(outcomes({ here: { body: { targetAudience: audience } } })).toEqual({ here: 'won' });
  });

  it('explains the price of a campaign without a bid', () => {
    const [outranked] = hold({ low: { outcome: 'outranked' } }).candidates;
    expect(presentPrice(outranked!)).toEqual({ strategy: 'manual', maxCpb: 4, bid: 0, value: 0 });
  });

  it.each<[string, Entry, Partial<Opportunity>]>([
    ['country', { body: { targetAudience: { keywords: ['x'], countries: ['DE'] } } }, {}],
    ['country', { body: { targetAudience: { keywords: ['x'], countries: ['US'] } } }, { countryCode: undefined }],
    ['paused', { body: { status: 'paused' } }, {}],
    ['draft', { body: { status: 'draft' } }, {}],
    ['cancelled', { body: { status: 'cancelled' } }, {}],
    ['completed', { body: { status: 'completed' } }, {}],
    ['not_started', { body: { startDate: '2026-11-21' } }, {}],
    ['ended', { body: { endDate: '2026-11-19' } }, {}],
    ['budget', { body: { budget: 0 } }, {}],
    ['budget', { stats: { spent: 10_000_000 } }, {}],
    ['daily_budget', { body: { dailyBudget: 0 } }, {}],
    [
      'daily_budget',
      { body: { dailyBudget: 1 }, stats: { spent: 1_000_000, day: '2026-11-20', spentToday: 1_000_000 } },
      {},
    ],
    ['below_floor', {}, { floor: micros(4_001_000) }],
    ['below_threshold', { outcome: 'below_threshold' }, {}],
    ['excluded_keyword', { outcome: 'excluded_keyword' }, {}],
    ['sensitive_context', { outcome: 'sensitive_context' }, {}],
    ['incomplete', { body: { creative: { headline: 'x' } } }, {}],
    ['incomplete', { body: { creative: { landingUrl: 'https://x.example' } } }, {}],
    ['incomplete', { body: { targetAudience: { keywords: [] } } }, {}],
    ['incomplete', { body: { maxCpb: 0 } }, {}],
    ['incomplete', { body: { bidStrategy: 'target_cpa', targetCpa: 0 } }, {}],
    ['outranked', { outcome: 'outranked' }, {}],
    ['paused', { outcome: 'outranked', body: { status: 'paused' } }, {}],
    ['country', { outcome: 'outranked', body: { targetAudience: { keywords: ['x'], countries: ['DE'] } } }, {}],
    ['format', { outcome: 'outranked' }, { getExclusion: () => 'format' }],
    ['format', {}, { getExclusion: () => 'format' }],
    ['pacing', { body: { bidStrategy: 'auto' }, stats: { spent: 9e6, day: '2026-11-20', spentToday: 9e6 } }, {}],
  ])('reports %s for a campaign that may not win', (outcome, entry, more) => {
    expect(outcomes({ only: entry }, more)).toEqual({ only: outcome });
    expect(hold({ only: entry }, more).winner).toBeUndefined();
  });

  it.each([
    ['creative.landingUrl', { creative: { headline: 'x' } }],
    ['creative.headline', { creative: { landingUrl: 'https://x.example' } }],
    ['targetAudience.keywords', { targetAudience: { keywords: [] } }],
    ['maxCpb', { maxCpb: 0 }],
  ])('reports the missing field of an incomplete campaign: %s', (field, body) => {
    expect(hold({ only: { body } }).candidates[0]).toMatchObject({ outcome: 'incomplete', field });
  });

  it('admits a bid at the floor, and ignores yesterday’s spend', () => {
    expect(outcomes({ only: {} }, { floor: micros(4_000_000) })).toEqual({ only: 'won' });
    const spent = { spent: 1_000_000, day: '2026-11-19', spentToday: 1_000_000 };
    expect(outcomes({ only: { body: { dailyBudget: 1 }, stats: spent } })).toEqual({ only: 'won' });
  });

  it('admits a campaign ahead of its plan as often as its pace allows', () => {
    const ahead = { body: { bidStrategy: 'auto' }, stats: { spent: 5.05e6, day: '2026-11-20', spentToday: 5.05e6 } };
    const { campaign, stats } = demandOf({ only: ahead }).find('only');
    const part = getPace(campaign, stats, NOW);
    expect(part).toBeGreaterThan(0.1);
    expect(part).toBeLessThan(0.9);
    expect(outcomes({ only: ahead }, { random: () => part - 0.01 })).toEqual({ only: 'won' });
    expect(outcomes({ only: ahead }, { random: () => part + 0.01 })).toEqual({ only: 'pacing' });
  });

  it('excludes a campaign at exactly its pace, and draws no random number without pacing', () => {
    const ahead = { body: { bidStrategy: 'auto' }, stats: { spent: 5.05e6, day: '2026-11-20', spentToday: 5.05e6 } };
    const { campaign, stats } = demandOf({ only: ahead }).find('only');
    const part = getPace(campaign, stats, NOW);
    expect(outcomes({ only: ahead }, { random: () => part })).toEqual({ only: 'pacing' });
    const manual = { ...ahead, body: { bidStrategy: 'manual' } };
    const random = () => {
      throw new Error('no random number expected');
    };
    expect(outcomes({ only: manual }, { random })).toEqual({ only: 'won' });
    expect(outcomes({ only: { body: { bidStrategy: 'auto' } } }, { random })).toEqual({ only: 'won' });
  });

  it('excludes a bid that rounds down to zero, even without a floor', () => {
    const small = { body: { bidStrategy: 'auto', maxCpb: 0.001 }, relevance: 0.5 };
    expect(outcomes({ only: small })).toEqual({ only: 'below_floor' });
  });

  it('bids the full expected value, unpaced, for target_cpa without a target', () => {
    const { winner } = hold({ only: { body: { bidStrategy: 'target_cpa' } } });
    expect(winner!.bid).toBe(3_200_000); // 4 x 0.8
  });

  it('passes 0 to matching for a campaign that may not bid, and its bid otherwise', () => {
    const offered: Record<string, number> = {};
    const demand = demandOf({ fits: {}, paused: { body: { status: 'paused' } } });
    const asking: Demand = {
      ...demand,
      match: (messages, { bid, ...options }) =>
        demand.match(messages, {
          ...options,
          bid(id, relevance) {
            offered[id] = bid(id, relevance);
            return offered[id];
          },
        }),
    };
    holdAuction(asking, opportunity, createTieBreaker());
    expect(offered).toEqual({ fits: 4_000_000, paused: 0 });
  });

  it('has no bid for a campaign that did not match', () => {
    const { candidates } = hold({ only: { outcome: 'below_threshold' } });
    expect(candidates[0]).toMatchObject({ bid: 0, priceTerms: undefined });
  });

  it('explains prices only in debug mode', () => {
    const explained: boolean[] = [];
    for (const debug of [true, false]) {
      const demand = demandOf({ only: { body: { bidStrategy: 'auto' } } });
      const asking: Demand = {
        ...demand,
        match(messages, options) {
          explained.push(options.debug === true);
          return demand.match(messages, options);
        },
      };
      const { winner } = holdAuction(asking, { ...opportunity, debug }, createTieBreaker());
      expect(winner!.priceTerms).toEqual(debug ? { pace: 1 } : undefined);
    }
    expect(explained).toEqual([true, false]);
  });

  it('breaks ties only between equals', () => {
    const asked: string[][] = [];
    const turn = (ids: string[]) => {
      asked.push(ids);
      return ids[1]!;
    };
    expect(holdAuction(demandOf({ a: {}, b: { relevance: 0.7 } }), opportunity, turn).winner!.campaign.id).toBe('a');
    expect(asked).toEqual([]);
    expect(holdAuction(demandOf({ a: {}, b: {} }), opportunity, turn).winner!.campaign.id).toBe('b');
    expect(asked).toEqual([['a', 'b']]);
  });

  it('prefers the equal in the language of the conversation every time', () => {
    const equals = demandOf({ a: {}, b: { closeness: 1 }, c: {} });
    const turn = createTieBreaker();
    for (let i = 0; i < 4; i++) expect(holdAuction(equals, opportunity, turn).winner!.campaign.id).toBe('b');
  });

  it('lets three equals win in turn', () => {
    const turn = createTieBreaker();
    const winners = Array.from(
      { length: 9 },
      () => holdAuction(demandOf({ a: {}, b: {}, c: {} }), opportunity, turn).winner!,
    );
    for (let round = 0; round < 9; round += 3) {
      expect(new Set(winners.slice(round, round + 3).map(({ campaign }) => campaign.id)).size).toBe(3);
    }
  });
});
