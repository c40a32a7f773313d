import { describe, expect, it } from 'vitest';
import type { Demand, DemandCandidate, DemandMatch, Opportunity } from '../../../../shared/ads/auction/auction.ts';
import { applyOpinion, buildShortlist } from '../../../../shared/ads/auction/shortlist.ts';
import { type Biddable, toBiddable } from '../../../../shared/campaigns/biddable.ts';
import { createCampaign } from '../../../../shared/campaigns/campaign-schema.ts';
import { merge } from '../../../../shared/campaigns/merge.ts';
import { createSpendStats } from '../../../../shared/campaigns/spend-stats.ts';
import type { MatchOptions } from '../../../../shared/matching/index.ts';
import { micros } from '../../../../shared/platform/values/money.ts';

type Outcome = DemandCandidate['outcome'];

const candidate = (id: string, relevance: number, outcome: Outcome = 'match'): DemandCandidate => ({
  id,
  relevance,
  closeness: 0,
  bid: 1,
  matched: [],
  outcome,
});

/** A campaign that may serve in some countries; in all of them where there are none. */
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
  const profile = { v: '', k: '', x: '', t: [], l: '', w: '' };
  const at = '1969-12-31T00:00:00.000Z';
  const times = { createdAt: at, updatedAt: at, changedAt: 0, version: 1 };
  return toBiddable({ ...merge(createCampaign.parse(body)), ...id, profile, ...times });
};
const context: DemandMatch['context'] = { topics: [], language: null };
const opportunity = { messages: [], floor: micros(0), now: 0, random: () => 0, debug: false } as Opportunity;

/** What is on a shortlist of some candidates, and the options that matching was asked with. */
function listedOf(candidates: DemandCandidate[]) {
  const asked: MatchOptions[] = [];
  const found: string[] = [];
  const demand: Demand = {
    find(id) {
      found.push(id);
      return { campaign: { id } } as unknown as ReturnType<Demand['find']>;
    },
    match(_, options) {
      asked.push(options);
      return { noBid: null, context, candidates };
    },
  };
  const listed = buildShortlist(demand, opportunity);
  return { listed, asked, found };
}

/** What becomes of some candidates under an opinion; each of them would bid `bids[id]`, or 2. */
function judge(
  candidates: DemandCandidate[],
  opinion: { safe: boolean; welcome: number[] },
  bids: Record<string, number> = {},
) {
  const asked: [string, number][] = [];
  const matched = applyOpinion(listedOf(candidates).listed, opinion).match([], {
    debug: false,
    bid(id, relevance) {
      asked.push([id, relevance]);
      return bids[id] ?? 2;
    },
  });
  const shown = matched.candidates.map(({ id, relevance, bid, outcome }) => [id, relevance, bid, outcome]);
  return { noBid: matched.noBid, shown, asked, context: matched.context };
}

describe('The shortlist of a judge', () => {
  it('has the most relevant that may bid, at most six, and all others behind them', () => {
    const fitting = [0.1, 0.7, 0.3, 0.5, 0.2, 0.6, 0.4].map((relevance) => candidate(`fit${relevance}`, relevance));
    const { listed } = listedOf([candidate('refused', 0.9, 'refused'), ...fitting]);
    expect(listed.candidates.map(({ id }) => id)).toEqual([
      'fit0.7',
      'fit0.6',
      'fit0.5',
      'fit0.4',
      'fit0.3',
      'fit0.2',
      'refused',
    ]);
    expect(listed.context).toBe(context);
  });

  it('is of all that reaches the judge’s own threshold, explained', () => {
    const { asked } = listedOf([]);
    expect(asked[0]).toMatchObject({ debug: true, threshold: 0.08 });
  });

  it('offers one for a campaign that may serve here, and nothing for one that may not', () => {
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

  it('knows its campaigns as they were then', () => {
    const { listed, found } = listedOf([candidate('a', 0.5)]);
    found.length = 0;
    expect(listed.find('a').campaign.id).toBe('a');
    expect(found).toEqual([]);
  });
});

describe('The demand as a judge sees it', () => {
  it('has chances in the place of relevance, best bid × chance first', () => {
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

  it('lets those bid that are at least as welcome as not, and nine tenths as welcome as the most welcome', () => {
    const all = ['a', 'b', 'c', 'd'].map((id, at) => candidate(id, 0.9 - at / 10));
    expect(judge(all, { safe: true, welcome: [1, 0.9, 0.89, 0.49] })).toMatchObject({
      noBid: null,
      shown: [
        ['a', 1, 2, 'match'],
        ['b', 0.9, 2, 'match'],
        ['c', 0.89, 0, 'outranked'],
        ['d', 0.49, 0, 'judge'],
      ],
      asked: [
        ['a', 1],
        ['b', 0.9],
      ],
    });
    expect(judge(all, { safe: true, welcome: [0.5, 0.49, 0.1, 0.1] }).shown[0]).toEqual(['a', 0.5, 2, 'match']);
  });

  it('takes a candidate without a chance for unwelcome', () => {
    expect(judge([candidate('a', 0.9), candidate('b', 0.8)], { safe: true, welcome: [0.9] }).shown[1]).toEqual([
      'b',
      0,
      0,
      'judge',
    ]);
  });

  it('has no bid for a conversation that is not safe, of anybody', () => {
    const unsafe = judge([candidate('a', 0.9), candidate('b', 0.8, 'refused')], { safe: false, welcome: [1] });
    expect(unsafe).toMatchObject({
      noBid: 'sensitive_context',
      shown: [
        ['a', 0.9, 0, 'sensitive_context'],
        ['b', 0.8, 0, 'sensitive_context'],
      ],
      asked: [],
    });
  });

  it('says that the judge is why there is no bid where nobody would be welcome', () => {
    expect(judge([candidate('a', 0.9)], { safe: true, welcome: [0.49] }).noBid).toBe('judge');
  });

  it('does not blame the judge where one that is welcome bids nothing', () => {
    const refused = judge([candidate('a', 0.9)], { safe: true, welcome: [0.5] }, { a: 0 });
    expect(refused).toMatchObject({ noBid: 'below_threshold', shown: [['a', 0.5, 0, 'refused']] });
    const oneBids = judge([candidate('a', 0.9), candidate('b', 0.8)], { safe: true, welcome: [0.9, 0.9] }, { a: 0 });
    expect(oneBids.noBid).toBeNull();
    expect(judge([candidate('a', 0.9)], { safe: true, welcome: [0.9] }, { a: 1 }).noBid).toBeNull();
  });

  it('asks those that may not bid for their reason, and leaves them as they are', () => {
    const { shown, asked } = judge([candidate('a', 0.9), candidate('b', 0.4, 'refused')], {
      safe: true,
      welcome: [0.9],
    });
    expect(asked).toEqual([
      ['a', 0.9],
      ['b', 0.4],
    ]);
    expect(shown[1]).toEqual(['b', 0.4, 1, 'refused']);
  });

  it('puts the more relevant first of those that bid nothing', () => {
    const { shown } = judge([candidate('a', 0.9), candidate('b', 0.8)], { safe: true, welcome: [0.2, 0.4] });
    expect(shown.map(([id]) => id)).toEqual(['b', 'a']);
  });
});
