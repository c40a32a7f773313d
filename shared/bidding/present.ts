import { toUsd } from '../values/money.ts';
import type { Auction, AuctionCandidate } from './auction.ts';
import { whyNoBid } from './no-bid.ts';

/** Candidates that debug shows, at most. */
const MOST_CANDIDATES = 20;

/**
 * An auction as X-Debug explains it to the owner of a key. Of the owner's own campaigns it tells how the price came about; of
 * others' what they bid and how they fared, never what their advertisers have set. Budgets and spend it tells of none.
 */
export const presentAuction = (auction: Auction, owner: string) => ({
  campaignId: auction.winner?.campaign.id ?? null,
  reason: auction.winner ? null : whyNoBid(auction),
  candidates: auction.candidates
    .slice(0, MOST_CANDIDATES)
    .map((candidate) => (candidate.campaign.owner === owner ? presentOwn(candidate) : presentCandidate(candidate))),
  context: auction.context,
});

const presentCandidate = ({ campaign, relevance, matched, bid, outcome }: AuctionCandidate) => ({
  campaignId: campaign.id,
  name: campaign.name,
  relevance: Math.round(relevance * 1e4) / 1e4,
  matched,
  price: { bid: toUsd(bid) },
  outcome,
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

const presentOwn = (candidate: AuctionCandidate) => ({
  ...presentCandidate(candidate),
  price: presentPrice(candidate),
  ...(candidate.field && { field: candidate.field }),
});
