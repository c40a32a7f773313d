import type { ApiKey } from '../../keys/api-key.ts';
import { toTopicId } from '../../matching/index.ts';
import { isReportableTopic } from '../../platform/values/sensitive-topics.ts';
import type { AuctionCandidate } from '../auction/auction.ts';
import type { NewBid } from './store.ts';
import { toTerms } from './terms.ts';

/**
 * Other fields of a bid. `price` defaults to the candidate's bid. After an opt-out, the bid stores no terms, topic, variant, or code, but keeps
 * the conversation's limits, because a hashed conversation id identifies no one.
 */
interface BidContext
  extends Partial<Pick<NewBid, 'countryCode' | 'price' | 'conversation' | 'conversationCode' | 'optOut' | 'schain'>> {
  /** The publisher's own label of an A/B test. */
  variant?: string | null;
}

/** Longer domains lose their beginning, so that a record stays within 1 KB: the end says whose they are. */
const MAX_DOMAIN_BYTES = 64;

/** Builds the bid of a winning candidate for an API key. */
export const toNewBid = (
  { campaign, bid, relevance, level, matched, topic }: AuctionCandidate,
  key: Pick<ApiKey, 'id' | 'owner' | 'mode'>,
  { countryCode = '', price = bid, conversation, conversationCode, optOut, schain, variant }: BidContext = {},
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
  ...(campaign.domain && { domain: campaign.domain.slice(-MAX_DOMAIN_BYTES) }),
  ...(!optOut && topic && isReportableTopic(topic) && { topic: toTopicId(topic) }),
  ...(!optOut && variant && { variant }),
  ...(optOut ? { terms: {} } : toTerms(matched)),
  ...(optOut && { optOut }),
  ...(schain && { schain }),
  ...(conversation && { conversation }),
  ...(!optOut && conversationCode && { conversationCode }),
});
