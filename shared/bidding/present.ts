import { toUsd } from '../money.ts';
import type { Auction, Candidate } from './auction.ts';

/** Candidates that debug shows, at most (decisions, section 5). */
const MOST_CANDIDATES = 20;

/** An auction as X-Debug explains it: it names campaigns, but never a budget or what is spent. */
export const presentAuction = ({ winner, candidates, silence, context }: Auction) => ({
  campaignId: winner?.campaign.id ?? null,
  candidates: candidates.slice(0, MOST_CANDIDATES).map(presentCandidate),
  silence,
  context,
});

const presentCandidate = ({ campaign, relevance, matched, bid, terms, outcome }: Candidate) => ({
  campaignId: campaign.id,
  name: campaign.name,
  relevance: Math.round(relevance * 1e4) / 1e4,
  matched,
  price: {
    strategy: campaign.bidStrategy,
    maxCpb: toUsd(campaign.maxCpb),
    ...terms,
    ...(terms?.targetCpa !== undefined && { targetCpa: toUsd(terms.targetCpa) }),
    bid: toUsd(bid),
    value: toUsd(bid) * relevance,
  },
  outcome,
});
