import { describe, expect, it } from 'vitest';
import {
  type Auction,
  type AuctionCandidate,
  addInactiveCandidates,
  getNoBidReason,
  selectWinners,
} from '../../../../shared/ads/auction/auction.ts';
import { presentAuction, presentPrice } from '../../../../shared/ads/auction/present.ts';
import { fromUsd, micros } from '../../../../shared/platform/values/money.ts';

const candidate = (
  id: string,
  outcome: AuctionCandidate['outcome'],
  relevance = 0.5,
  more: Partial<AuctionCandidate> = {},
): AuctionCandidate => ({
  campaign: {
    id,
    name: `Name of ${id}`,
    owner: 'alice',
    bidStrategy: 'manual',
    maxCpb: fromUsd(4),
  } as AuctionCandidate['campaign'],
  relevance,
  level: 'balanced',
  closeness: 0,
  matched: [],
  bid: fromUsd(2),
  priceTerms: {},
  outcome,
  ...more,
});
const auctionOf = (candidates: AuctionCandidate[], noBid: Auction['noBid'] = null): Auction => ({
  noBid,
  context: { topics: [], language: null },
  ...{ adStrictness: 'balanced', threshold: 0.5, fillsAt: null },
  winner: candidates.find(({ outcome }) => outcome === 'won'),
  candidates,
});
const present = (auction: Auction, owner: string) => presentAuction(auction, owner, () => undefined);
const ids = ({ candidates }: Auction) => candidates.map(({ campaign, outcome }) => `${campaign.id} ${outcome}`);

describe('getNoBidReason', () => {
  it.each<[Auction['noBid'], AuctionCandidate['outcome'][], string]>([
    ['sensitive_context', ['paused'], 'sensitive_context'],
    ['no_user_message', ['paused'], 'no_user_message'],
    ['catalog_stale', ['paused'], 'catalog_stale'],
    ['judge', ['paused'], 'judge'],
    ['no_commercial_context', ['below_threshold', 'country'], 'country'],
    ['no_commercial_context', ['below_threshold'], 'no_commercial_context'],
    [null, ['below_threshold', 'pacing', 'country'], 'pacing'],
    [null, ['lower_rank', 'pacing'], 'pacing'],
    [null, ['below_threshold'], 'below_threshold'],
    [null, [], 'no_match'],
  ])('derives the reason from the conversation (%s) and the campaigns (%j): %s', (noBid, outcomes, expected) => {
    const candidates = outcomes.map((outcome, at) => candidate(`c${at}`, outcome));
    expect(getNoBidReason({ noBid, candidates })).toBe(expected);
  });
});

describe('addInactiveCandidates', () => {
  it('keeps the bidders first, then lists all others once by relevance', () => {
    const auction = auctionOf([
      candidate('won', 'won', 0.1),
      candidate('second', 'lower_rank', 0.2),
      candidate('elsewhere', 'country', 0.3),
    ]);
    const inactive = [
      candidate('elsewhere', 'country', 0.3),
      candidate('draft', 'draft', 0.9),
      candidate('paused', 'paused', 0.2),
      candidate('would have won', 'won', 0.9),
    ];
    expect(ids(addInactiveCandidates(auction, { candidates: inactive }))).toEqual([
      'won won',
      'second lower_rank',
      'draft draft',
      'elsewhere country',
      'paused paused',
    ]);
  });
});

describe('selectWinners', () => {
  const auction = auctionOf([
    candidate('a', 'won'),
    candidate('b', 'lower_rank'),
    candidate('c', 'lower_rank'),
    candidate('d', 'country'),
  ]);

  it('selects the best candidates', () => {
    expect(ids(selectWinners(auction, 2, () => false))).toEqual(['a won', 'b won', 'c lower_rank', 'd country']);
  });

  it('selects campaigns that the publisher prefers first', () => {
    const taken = selectWinners(auction, 1, ({ id }) => id === 'c' || id === 'd');
    expect(ids(taken)).toEqual(['c won', 'a lower_rank', 'b lower_rank', 'd country']);
    expect(taken.winner?.campaign.id).toBe('c');
  });

  it('has no winner if no candidate may win', () => {
    const { winner, candidates } = selectWinners(auctionOf([candidate('d', 'country')]), 2, () => false);
    expect([winner, candidates.length]).toEqual([undefined, 1]);
  });
});

describe('presentAuction', () => {
  it('shows keywords in the advertiser’s spelling, and omits unknown ones', () => {
    const place = { message: 0, positions: [{ start: 0, end: 4 }] };
    const matched: AuctionCandidate['matched'] = [
      { kind: 'keyword', keyword: 1, ...place },
      { kind: 'phrase', term: 'book flight', topics: ['Travel'], ...place },
    ];
    const auction = auctionOf([candidate('a', 'won', 0.5, { matched })]);
    const matchedWith = (keywords?: string[]) => presentAuction(auction, 'bob', () => keywords).candidates[0]?.matched;
    const phrase = { kind: 'phrase', term: 'book flight', ...place };
    expect(matchedWith(['flights', 'Cheap AIRFARE'])).toEqual([
      { kind: 'keyword', term: 'Cheap AIRFARE', ...place },
      phrase,
    ]);
    expect(matchedWith(['flights'])).toEqual([phrase]);
    expect(matchedWith()).toEqual([phrase]);
  });

  const terms = { priceTerms: { pace: 0.5, targetCpa: micros(3_000_000) }, field: 'maxCpb', relevance: 0.5 };

  it('shows the winner, or the reason without one', () => {
    expect(present(auctionOf([candidate('a', 'won')]), 'alice')).toMatchObject({
      campaignId: 'a',
      reason: null,
    });
    expect(present(auctionOf([]), 'alice')).toMatchObject({ campaignId: null, reason: 'no_match' });
  });

  it('shows settings only for the owner’s own campaigns', () => {
    const auction = auctionOf([candidate('a', 'won', 0.5, terms)]);
    const common = { campaignId: 'a', name: 'Name of a', relevance: 0.5, matched: [], outcome: 'won' };
    expect(present(auction, 'alice').candidates).toEqual([
      {
        ...common,
        price: { strategy: 'manual', maxCpb: 4, pace: 0.5, targetCpa: 3, bid: 2, value: 1 },
        field: 'maxCpb',
      },
    ]);
    expect(present(auction, 'bob').candidates).toEqual([{ ...common, price: { bid: 2 } }]);
  });

  it('omits absent fields of a price or candidate', () => {
    const { campaignId, ...own } = present(auctionOf([candidate('a', 'won')]), 'alice').candidates[0]!;
    expect(Object.keys(own)).toEqual(['name', 'relevance', 'matched', 'price', 'outcome']);
    expect(presentPrice(candidate('a', 'won'))).toEqual({ strategy: 'manual', maxCpb: 4, bid: 2, value: 1 });
  });

  it('shows the first twenty candidates, with relevance rounded to four decimals', () => {
    const many = Array.from({ length: 21 }, (_, at) => candidate(`c${at}`, 'lower_rank', 0.12346 + at / 1e6));
    const { candidates } = present(auctionOf(many), 'alice');
    expect(candidates.map(({ campaignId }) => campaignId)).toEqual(
      many.slice(0, 20).map(({ campaign }) => campaign.id),
    );
    expect(candidates[0]!.relevance).toBe(0.1235);
  });
});
