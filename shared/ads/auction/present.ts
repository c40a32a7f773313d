import type { Biddable } from '../../campaigns/biddable.ts';
import { toUsd } from '../../platform/values/money.ts';
import { type Auction, type AuctionCandidate, getNoBidReason } from './auction.ts';

const MAX_CANDIDATES = 20;

/** The keywords of a campaign as its advertiser wrote them; undefined if they are not available. */
export type GetKeywords = (campaign: Biddable) => readonly string[] | undefined;

export const getShownCandidates = ({ candidates }: Pick<Auction, 'candidates'>): AuctionCandidate[] =>
  candidates.slice(0, MAX_CANDIDATES);

/**
 * Explains an auction to the owner of the API key (X-Debug). Price details are only for the owner's campaigns. Other campaigns show their
 * bid and outcome, never their advertiser's settings. No campaign shows its budget or spend.
 */
export const presentAuction = (auction: Auction, owner: string, getKeywords: GetKeywords) => ({
  campaignId: auction.winner?.campaign.id ?? null,
  reason: auction.winner ? null : getNoBidReason(auction),
  adStrictness: auction.adStrictness,
  threshold: auction.threshold,
  candidates: getShownCandidates(auction).map((candidate) =>
    candidate.campaign.owner === owner ? presentOwn(candidate, getKeywords) : presentCandidate(candidate, getKeywords),
  ),
  context: auction.context,
});

function presentCandidate(candidate: AuctionCandidate, getKeywords: GetKeywords) {
  const { campaign, relevance, bid, outcome } = candidate;
  return {
    campaignId: campaign.id,
    name: campaign.name,
    relevance: Math.round(relevance * 1e4) / 1e4,
    matched: presentMatched(candidate, getKeywords),
    price: { bid: toUsd(bid) },
    outcome,
  };
}

/** The matched terms of a candidate as texts. Omits keywords whose text is not available. */
export const presentMatched = ({ campaign, matched }: AuctionCandidate, getKeywords: GetKeywords) =>
  matched.flatMap((match) => {
    const term = match.kind === 'keyword' ? getKeywords(campaign)?.[match.keyword] : match.term;
    const { kind, message, positions } = match;
    return term === undefined ? [] : [{ term, kind, message, positions }];
  });

/** Price details, for the owner of the campaign only. */
export const presentPrice = ({ campaign, relevance, bid, priceTerms }: AuctionCandidate) => ({
  strategy: campaign.bidStrategy,
  maxCpb: toUsd(campaign.maxCpb),
  ...priceTerms,
  ...(priceTerms?.targetCpa !== undefined && { targetCpa: toUsd(priceTerms.targetCpa) }),
  bid: toUsd(bid),
  value: toUsd(bid) * relevance,
});

const presentOwn = (candidate: AuctionCandidate, getKeywords: GetKeywords) => ({
  ...presentCandidate(candidate, getKeywords),
  price: presentPrice(candidate),
  ...(candidate.field && { field: candidate.field }),
});
