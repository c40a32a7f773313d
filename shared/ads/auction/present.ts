import type { Biddable } from '../../campaigns/biddable.ts';
import { toUsd } from '../../platform/values/money.ts';
import { type Auction, type AuctionCandidate, getNoBidReason } from './auction.ts';

/** Candidates that debug shows, at most. */
const MAX_CANDIDATES = 20;

/** The keywords of a campaign as its advertiser spells them; undefined where they are not known. */
export type GetKeywords = (campaign: Biddable) => readonly string[] | undefined;

/** The candidates that an explanation shows. */
export const getShownCandidates = ({ candidates }: Pick<Auction, 'candidates'>): AuctionCandidate[] =>
  candidates.slice(0, MAX_CANDIDATES);

/**
 * An auction as X-Debug explains it to the owner of a key. Of the owner's own campaigns it tells how the price came about; of
 * others' what they bid and how they fared, never what their advertisers have set. It tells no budgets or spend.
 */
export const presentAuction = (auction: Auction, owner: string, keywordsOf: GetKeywords) => ({
  campaignId: auction.winner?.campaign.id ?? null,
  reason: auction.winner ? null : getNoBidReason(auction),
  candidates: getShownCandidates(auction).map((candidate) =>
    candidate.campaign.owner === owner ? presentOwn(candidate, keywordsOf) : presentCandidate(candidate, keywordsOf),
  ),
  context: auction.context,
});

function presentCandidate(candidate: AuctionCandidate, keywordsOf: GetKeywords) {
  const { campaign, relevance, bid, outcome } = candidate;
  return {
    campaignId: campaign.id,
    name: campaign.name,
    relevance: Math.round(relevance * 1e4) / 1e4,
    matched: presentMatched(candidate, keywordsOf),
    price: { bid: toUsd(bid) },
    outcome,
  };
}

/** What spoke for a candidate, in its advertiser's words or the lexicon's. A keyword that is not known is left out. */
export const presentMatched = ({ campaign, matched }: AuctionCandidate, keywordsOf: GetKeywords) =>
  matched.flatMap((one) => {
    const term = one.kind === 'keyword' ? keywordsOf(campaign)?.[one.keyword] : one.term;
    const { kind, message, positions } = one;
    return term === undefined ? [] : [{ term, kind, message, positions }];
  });

/** How the price of an owner's own campaign came about. */
export const presentPrice = ({ campaign, relevance, bid, priceTerms }: AuctionCandidate) => ({
  strategy: campaign.bidStrategy,
  maxCpb: toUsd(campaign.maxCpb),
  ...priceTerms,
  ...(priceTerms?.targetCpa !== undefined && { targetCpa: toUsd(priceTerms.targetCpa) }),
  bid: toUsd(bid),
  value: toUsd(bid) * relevance,
});

const presentOwn = (candidate: AuctionCandidate, keywordsOf: GetKeywords) => ({
  ...presentCandidate(candidate, keywordsOf),
  price: presentPrice(candidate),
  ...(candidate.field && { field: candidate.field }),
});
