import { describe, expect, it } from 'vitest';
import type { Demand, DemandCandidate, DemandMatch, Opportunity } from '../../../../shared/ads/auction/auction.ts';
import { applyOpinion, buildShortlist } from '../../../../shared/ads/auction/shortlist.ts';
import { type Biddable, toBiddable } from '../../../../shared/campaigns/biddable.ts';
import { createCampaign } from '../../../../shared/campaigns/campaign-schema.ts';
import { merge } from '../../../../shared/campaigns/merge.ts';
import { createSpendStats } from '../../../../shared/campaigns/spend-stats.ts';
import type { AdStrictness, MatchOptions } from '../../../../shared/matching/index.ts';
import { micros } from '../../../../shared/platform/values/money.ts';

type Outcome = DemandCandidate['outcome'];

const candidate = (id: string, relevance: number, outcome: Outcome = 'match'): DemandCandidate => ({
  id,
  relevance,
  closeness: 0,
  bid: 1,
  matched: [],
  outcome,
  isHeldBack: false,
});

/** A campaign that may serve in the countries; in all countries if there are none. */
const biddable = (countries: string[]): Biddable => {
  const body = {
    name: 'x',
    budget: 10,
    bidStrategy: 'manual',
    maxCpb: 4,
    status: 'active',
    targetAudience: { keywords: ['x'], countries },
    creative: { headline: 'x', landingUrl: 'https://x.example' },
  };
  const id = { id: 'cmp_1', owner: 'alice', pausedReason: null, pausedDay: null, exhaustions: 0 };
  const profile = { v: '', k: '', x: '', t: [], l: '', n: -1, w: '' };
  const at = '1969-12-31T00:00:00.000Z';
  const times = { createdAt: at, updatedAt: at, changedAt: 0, version: 1 };
  return toBiddable({ ...merge(createCampaign.parse(body)), ...id, profile, ...times });
};
const context: DemandMatch['context'] = { topics: [], language: null };
const opportunity = {
  messages: [],
  floor: micros(0),
  adStrictness: 'balanced',
  now: 0,
  random: () => 0,
  debug: false,
} as Opportunity;

/** Builds a shortlist. Returns it with the options passed to matching and the ids that were looked up. */
function build(candidates: DemandCandidate[]) {
  const options: MatchOptions[] = [];
  const found: string[] = [];
  const demand: Demand = {
    find(id) {
      found.push(id);
      return { campaign: { id } } as unknown as ReturnType<Demand['find']>;
    },
    match(_, matchOptions) {
      options.push(matchOptions);
      return { noBid: null, context, candidates };
    },
  };
  const shortlist = buildShortlist(demand, opportunity);
  return { shortlist, options, found };
}

/** The outcomes of candidates with an opinion. Each candidate bids `bids[id]`, by default 2. */
function judge(
  candidates: DemandCandidate[],
  opinion: { safe: boolean; welcome: number[] },
  bids: Record<string, number> = {},
  level: AdStrictness = 'balanced',
) {
  const options: [string, number][] = [];
  const demand = applyOpinion(build(candidates).shortlist, opinion);
  const matched = demand.match([], {
    debug: false,
    threshold: demand.thresholds![level],
    bid(id, relevance) {
      options.push([id, relevance]);
      return bids[id] ?? 2;
    },
  });
  const shown = matched.candidates.map(({ id, relevance, bid, outcome }) => [id, relevance, bid, outcome]);
  return { noBid: matched.noBid, shown, options, context: matched.context };
}

describe('buildShortlist', () => {
  it('lists at most six candidates that may bid by relevance, followed by all others', () => {
    const fitting = [0.1, 0.7, 0.3, 0.5, 0.2, 0.6, 0.4].map((relevance) => candidate(`fit${relevance}`, relevance));
    const { shortlist } = build([candidate('refused', 0.9, 'refused'), ...fitting]);
    expect(shortlist.candidates.map(({ id }) => id)).toEqual([
      'fit0.7',
      'fit0.6',
      'fit0.5',
      'fit0.4',
      'fit0.3',
      'fit0.2',
      'refused',
    ]);
    expect(shortlist.context).toBe(context);
  });

  it('uses the judge’s threshold, without a relative one, with explanations', () => {
    const { options } = build([]);
    expect(options[0]).toMatchObject({ debug: true, threshold: 0.08, relativeThreshold: 0 });
  });

  it('passes 1 to matching for a campaign that may serve, and 0 otherwise', () => {
    const offered = new Map<string, number>();
    const demand = {
      find: (id: string) => ({ campaign: biddable(id === 'here' ? [] : ['DE']), stats: createSpendStats(id) }),
      match(_: unknown, { bid }: MatchOptions) {
        for (const id of ['here', 'elsewhere']) offered.set(id, bid(id, 0.5));
        return { noBid: null, context, candidates: [] };
      },
    };
    buildShortlist(demand as unknown as Demand, { ...opportunity, countryCode: 'US' });
    expect([...offered]).toEqual([
      ['here', 1],
      ['elsewhere', 0],
    ]);
  });

  it('keeps the campaigns as of the request', () => {
    const { shortlist, found } = build([candidate('a', 0.5)]);
    found.length = 0;
    expect(shortlist.find('a').campaign.id).toBe('a');
    expect(found).toEqual([]);
  });
});

describe('applyOpinion', () => {
  it('replaces relevance by the probability of being welcome, and sorts by bid × probability', () => {
    const {
      noBid,
      shown,
      context: read,
    } = judge(
      [candidate('a', 0.9), candidate('b', 0.8), candidate('c', 0.7)],
      { safe: true, welcome: [0.8, 0.85, 0.8] },
      { a: 1.9, b: 2, c: 2.1 },
    );
    expect(shown).toEqual([
      ['b', 0.85, 2, 'match'],
      ['c', 0.8, 2.1, 'match'],
      ['a', 0.8, 1.9, 'match'],
    ]);
    expect([noBid, read]).toEqual([null, context]);
  });

  it('admits candidates with a probability of at least 0.5 and 90 percent of the highest', () => {
    const all = ['a', 'b', 'c', 'd'].map((id, at) => candidate(id, 0.9 - at / 10));
    expect(judge(all, { safe: true, welcome: [1, 0.9, 0.89, 0.49] })).toMatchObject({
      noBid: null,
      shown: [
        ['a', 1, 2, 'match'],
        ['b', 0.9, 2, 'match'],
        ['c', 0.89, 0, 'outranked'],
        ['d', 0.49, 0, 'judge'],
      ],
      options: [
        ['a', 1],
        ['b', 0.9],
      ],
    });
    expect(judge(all, { safe: true, welcome: [0.5, 0.49, 0.1, 0.1] }).shown[0]).toEqual(['a', 0.5, 2, 'match']);
  });

  it.each([
    ['strict', [0.67, 0.66]],
    ['balanced', [0.5, 0.49]],
    ['open', [0.33, 0.32]],
  ] as const)('admits candidates from what a wrong ad costs a %s publisher', (level, welcome) => {
    const outcomes = welcome.map((chance) =>
      judge([candidate('a', 0.9)], { safe: true, welcome: [chance] }, {}, level),
    );
    expect(outcomes.map(({ noBid, shown }) => [noBid, shown[0]![3]])).toEqual([
      [null, 'match'],
      ['judge', 'judge'],
    ]);
  });

  it('names the candidates that a less strict publisher would admit', () => {
    const all = ['a', 'b', 'c'].map((id, at) => candidate(id, 0.9 - at / 10));
    const demand = applyOpinion(build(all).shortlist, { safe: true, welcome: [0.6, 0.58, 0.4] });
    const { candidates } = demand.match([], { bid: () => 2, threshold: demand.thresholds!.strict });
    expect(candidates.map(({ id, outcome, isHeldBack }) => [id, outcome, isHeldBack])).toEqual([
      ['a', 'judge', true],
      ['b', 'judge', true],
      ['c', 'judge', false],
    ]);
  });

  it('treats a candidate without a probability as unwelcome', () => {
    expect(judge([candidate('a', 0.9), candidate('b', 0.8)], { safe: true, welcome: [0.9] }).shown[1]).toEqual([
      'b',
      0,
      0,
      'judge',
    ]);
  });

  it('has no bids in an unsafe conversation', () => {
    const unsafe = judge([candidate('a', 0.9), candidate('b', 0.8, 'refused')], { safe: false, welcome: [1] });
    expect(unsafe).toMatchObject({
      noBid: 'sensitive_context',
      shown: [
        ['a', 0.9, 0, 'sensitive_context'],
        ['b', 0.8, 0, 'sensitive_context'],
      ],
      options: [],
    });
  });

  it('reports the judge as the reason if no candidate is welcome', () => {
    expect(judge([candidate('a', 0.9)], { safe: true, welcome: [0.49] }).noBid).toBe('judge');
  });

  it('does not report the judge if a welcome candidate bids 0', () => {
    const refused = judge([candidate('a', 0.9)], { safe: true, welcome: [0.5] }, { a: 0 });
    expect(refused).toMatchObject({ noBid: 'below_threshold', shown: [['a', 0.5, 0, 'refused']] });
    const oneBids = judge([candidate('a', 0.9), candidate('b', 0.8)], { safe: true, welcome: [0.9, 0.9] }, { a: 0 });
    expect(oneBids.noBid).toBeNull();
    expect(judge([candidate('a', 0.9)], { safe: true, welcome: [0.9] }, { a: 1 }).noBid).toBeNull();
  });

  it('records the reason of candidates that may not bid, and does not change them', () => {
    const { shown, options } = judge([candidate('a', 0.9), candidate('b', 0.4, 'refused')], {
      safe: true,
      welcome: [0.9],
    });
    expect(options).toEqual([
      ['a', 0.9],
      ['b', 0.4],
    ]);
    expect(shown[1]).toEqual(['b', 0.4, 1, 'refused']);
  });

  it('sorts candidates that bid 0 by relevance', () => {
    const { shown } = judge([candidate('a', 0.9), candidate('b', 0.8)], { safe: true, welcome: [0.2, 0.4] });
    expect(shown.map(([id]) => id)).toEqual(['b', 'a']);
  });
});
