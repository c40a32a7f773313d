import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTieBreaker, type Demand, holdAuction } from '../../../shared/ads/auction/auction.ts';
import { type Biddable, toBiddable } from '../../../shared/campaigns/biddable.ts';
import type { Campaign } from '../../../shared/campaigns/campaign.ts';
import { BID_STRATEGIES, STATUSES } from '../../../shared/campaigns/campaign.ts';
import { presentServing } from '../../../shared/campaigns/campaign-response.ts';
import { merge } from '../../../shared/campaigns/merge.ts';
import { createSpendStats, type SpendStats } from '../../../shared/campaigns/spend-stats.ts';
import { micros } from '../../../shared/platform/values/money.ts';
import { scaleRuns } from '../../run-size.ts';
import { storedCampaign } from '../../sample-records.ts';

const NOW = Date.parse('2026-11-20T09:00:00Z');
const DAYS = ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'];

const amount = fc.constantFrom(0, 0.000001, 1, 5, 10);
const text = (value: string) => fc.constantFrom('', value, value, value);
const day = fc.option(fc.constantFrom(...DAYS.map((date) => `${date}T12:00:00.000Z`)));
/** As in the store: only a paused campaign has a reason, and only a pause for the daily budget has a day. */
const lifecycle: fc.Arbitrary<Pick<Campaign, 'status' | 'pausedReason' | 'pausedDay'>> = fc.oneof(
  fc.constant({ status: 'active', pausedReason: null, pausedDay: null } as const),
  fc.record({ status: fc.constantFrom(...STATUSES), pausedReason: fc.constant(null), pausedDay: fc.constant(null) }),
  fc.record({
    status: fc.constant('paused' as const),
    pausedReason: fc.constantFrom('user' as const, 'budget' as const),
    pausedDay: fc.constant(null),
  }),
  fc.record({
    status: fc.constant('paused' as const),
    pausedReason: fc.constant('daily_budget' as const),
    pausedDay: fc.constantFrom(...DAYS),
  }),
);
const body = fc.record({
  name: fc.constant('x'),
  budget: amount,
  dailyBudget: fc.option(amount),
  maxCpb: fc.constantFrom(0, 0.001, 4, 4),
  bidStrategy: fc.constantFrom(...BID_STRATEGIES),
  targetCpa: fc.option(amount),
  startDate: day,
  endDate: day,
  targetAudience: fc.record({
    keywords: fc.subarray(['x']),
    demographics: fc.record({ ageRange: fc.constant(null), interests: fc.subarray(['Travel']) }),
  }),
  creative: fc.record({ headline: text('x'), landingUrl: text('https://x.example') }),
});
const stats: fc.Arbitrary<SpendStats> = fc
  .record({
    spent: fc.constantFrom(0, 1, 1e6, 5e6, 1e7),
    today: fc.constantFrom(0, 0.5, 1),
    day: fc.constantFrom(...DAYS),
  })
  .map(({ spent, today, day }) => ({
    ...createSpendStats('cmp_1'),
    spent,
    day,
    spentToday: Math.floor(today * spent),
  }));

/** Demand of one matching campaign. */
const createDemand = (campaign: Biddable, stats: SpendStats): Demand => ({
  find: () => ({ campaign, stats }),
  match: (_, { bid }) => {
    const price = bid(campaign.id, 0.9);
    const outcome = price > 0 ? ('match' as const) : ('refused' as const);
    return {
      noBid: null,
      context: { topics: [], language: null },
      candidates: [
        { id: campaign.id, relevance: 0.9, bid: price, closeness: 0, matched: [], outcome, isHeldBack: false },
      ],
    };
  },
});

it('A campaign is eligible unless an auction excludes it for a reason of its own, which is then the first reason', {
  tags: 'whole',
}, () => {
  const adStrictness = 'balanced' as const;
  const opportunity = { messages: [], floor: micros(0), adStrictness, now: NOW, random: () => 0.999, debug: true };
  const seen = new Set<string>();
  fc.assert(
    fc.property(body, lifecycle, stats, (body, lifecycle, stats) => {
      const campaign: Campaign = storedCampaign({ ...merge(body), ...lifecycle, id: 'cmp_1' });
      const { eligible, reasons } = presentServing(campaign, stats, NOW);
      const [candidate] = holdAuction(
        createDemand(toBiddable(campaign), stats),
        opportunity,
        createTieBreaker(),
      ).candidates;
      const { outcome, field } = candidate!;
      seen.add(outcome);
      if (eligible) expect(['won', 'pacing', 'below_floor']).toContain(outcome);
      else expect({ outcome, field }).toEqual({ outcome: reasons[0]!.code, field: reasons[0]!.field });
      expect(reasons.some(({ blocking }) => blocking)).toBe(!eligible);
    }),
    { seed: 20_261_120, numRuns: scaleRuns(3_000) },
  );
  const codes = [
    'draft',
    'paused',
    'completed',
    'cancelled',
    'not_started',
    'ended',
    'incomplete',
    'budget',
    'daily_budget',
  ];
  expect([...seen]).toEqual(expect.arrayContaining(['won', ...codes]));
});
