import type { ApiKey } from '../api-keys/api-key.ts';
import type { AuctionCandidate } from '../bidding/auction.ts';
import type { NewBid } from './store.ts';

/** The bid of a candidate that won, for the key that asked; the country is empty where none was said. */
export const wonBid = (
  { campaign, bid, relevance, matched }: AuctionCandidate,
  key: ApiKey,
  countryCode = '',
): NewBid => ({
  keyId: key.id,
  keyOwner: key.owner,
  mode: key.mode,
  campaignId: campaign.id,
  campaignOwner: campaign.owner,
  price: bid,
  relevance,
  countryCode,
  terms: matched.map(({ term }) => term),
});
