import type { ApiKey } from '../../keys/api-key.ts';
import type { AuctionCandidate } from '../auction/auction.ts';
import type { NewBid } from './store.ts';
import { toTerms } from './terms.ts';

/** What else a bid is made of: the country, empty where none was said; the price, the bid itself unless told; the
 * conversation's limits; that the reader has opted out, after which nothing of what was said is kept. The limits hold all the same: the hash
 * of a publisher's name for a conversation says nothing of a person. */
interface BidContext extends Partial<Pick<NewBid, 'countryCode' | 'price' | 'conversation' | 'optOut'>> {}

/** The bid of a candidate that won, for the key that asked. */
export const toNewBid = (
  { campaign, bid, relevance, matched }: AuctionCandidate,
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
  countryCode,
  ...(optOut ? { terms: {} } : toTerms(matched)),
  ...(optOut && { optOut }),
  ...(conversation && { conversation }),
});
