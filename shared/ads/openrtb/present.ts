import type * as z from 'zod';
import type { ConversationTerms } from '../../campaigns/conversation-terms.ts';
import { getCreativeId, type ShownCreative } from '../../campaigns/creative-versions.ts';
import { type Micros, toUsd } from '../../platform/values/money.ts';
import type { AuctionCandidate } from '../auction/auction.ts';
import { clickAddress } from '../bids/ad.ts';
import type { Issued } from '../bids/bid.ts';
import type { Categories } from './categories.ts';
import { type Asset, buildNativeMarkup } from './native.ts';
import type { NativeRequest } from './native-schema.ts';
import { getNoticeUrls } from './notices.ts';
import type { exchangeBidResponse } from './openrtb-response.ts';
import { getAdLanguage } from './opportunity.ts';

type ExchangeBidResponse = z.output<typeof exchangeBidResponse>;
type ExchangeBid = ExchangeBidResponse['seatbid'][number]['bid'][number];

/** MTYPE of OpenRTB 2.6. */
const NATIVE = 4;

/** The campaign that won an impression, with its ad in the requested format. */
export interface ImpressionWinner {
  impid: string;
  candidate: AuctionCandidate;
  shown: ShownCreative;
  native: NativeRequest;
  assets: Asset[];
  /** Minimum CPM of the impression. */
  floor: Micros;
  /** Limits on ads in the conversation of the impression. */
  conversation?: ConversationTerms;
  conversationCode?: string;
  /** The publisher's own label of an A/B test. */
  variant?: string | null;
}

/** Presents an issued bid to an exchange. */
export function presentExchangeBid(
  { impid, candidate: { campaign }, shown, native, assets }: ImpressionWinner,
  bid: Issued,
  { baseUrl, cattax, categories }: { baseUrl: string; cattax: number; categories: Categories },
): ExchangeBid {
  const { exchange } = bid;
  if (!exchange) throw new TypeError('not a bid of an exchange');
  const notices = getNoticeUrls(baseUrl, bid.id, exchange);
  const language = getAdLanguage(campaign);
  const markup = buildNativeMarkup(native, assets, {
    clickUrl: clickAddress(baseUrl, bid.id),
    impressionUrl: notices.impression,
    creative: shown.creative,
  });
  return {
    id: bid.id,
    impid,
    price: toUsd(bid.price),
    adm: JSON.stringify(markup),
    adomain: [campaign.domain],
    ...categories.statedIn(campaign, cattax),
    cid: campaign.id,
    crid: getCreativeId(shown),
    ...(language && { language }),
    exp: Math.floor((bid.validUntil - bid.issuedAt) / 1000),
    mtype: NATIVE,
    nurl: notices.nurl,
    burl: notices.burl,
    lurl: notices.lurl,
  };
}
