import type { ApiKey } from '../../keys/api-key.ts';
import type { AuctionCandidate } from '../auction/auction.ts';
import type { NewBid } from './store.ts';
import { toTerms } from './terms.ts';

/**
 * Other fields of a bid. `price` defaults to the candidate's bid. After an opt-out, the bid stores no terms but keeps the conversation's
 * limits, because a hashed conversation id identifies no one.
 */
interface BidContext extends Partial<Pick<NewBid, 'countryCode' | 'price' | 'conversation' | 'optOut'>> {}

/** Builds the bid of a winning candidate for an API key. */
export const toNewBid = (
  { campaign, bid, relevance, level, matched }: AuctionCandidate,
  key: Pick<ApiKey, 'id' | 'owner' | 'mode'>,
  { countryCode = '', price = bid, conversation, optOut }: BidContext = {},
): NewBid => ({
  keyId: key.id,
  keyOwner: key.owner,
  mode: key.mode,
  campaignId: campaign.id,
  campaignOwner: campaign.owner,
  campaignVersion: campaign.version,
  price,
  relevance,
  ...(level && { level }),
  countryCode,
  ...(optOut ? { terms: {} } : toTerms(matched)),
  ...(optOut && { optOut }),
  ...(conversation && { conversation }),
});
