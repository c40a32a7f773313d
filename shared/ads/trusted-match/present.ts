import type * as z from 'zod';
import { advertiserOf, type Creative } from '../../platform/values/creative.ts';
import { toUsd } from '../../platform/values/money.ts';
import { domainOf } from '../../platform/values/urls.ts';
import { adText } from '../bids/ad.ts';
import type { Issued } from '../bids/bid.ts';
import { impressionAddress } from '../openrtb/notices.ts';
import type { contextMatch, offer } from './context-response.ts';

type PresentedOffer = z.output<typeof offer>;

/** What the protocol takes for the domain of a brand; a landing page may be on an address. */
const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/**
 * The answer to a request. A router keeps answers for five minutes and gives them to whoever asks for the same place unless it is told otherwise:
 * what fits one conversation would come into others.
 */
export const presentMatch = (requestId: string, offers: PresentedOffer[]): z.output<typeof contextMatch> => ({
  status: 'completed',
  type: 'context_match_response',
  request_id: requestId,
  offers,
  cache_ttl: 0,
});

/** An issued bid as an offer with its ad: campaigns are packages. */
export function presentOffer(bid: Issued, creative: Creative, baseUrl: string): PresentedOffer {
  const domain = domainOf(creative.landingUrl);
  return {
    package_id: bid.campaignId,
    ...(DOMAIN.test(domain) && { brand: { domain } }),
    price: { amount: toUsd(bid.price), currency: 'USD', model: 'cpm' },
    summary: adText(creative),
    creative_manifest: { format_kind: 'native_in_feed', assets: assetsOf(bid, creative, domain, baseUrl) },
  };
}

/** The parts of the ad under the names of the native format. Its picture stays out: the protocol wants its size, which is not known. */
function assetsOf(
  bid: Issued,
  creative: Creative,
  domain: string,
  baseUrl: string,
): PresentedOffer['creative_manifest']['assets'] {
  const { headline, description, callToAction } = creative;
  return {
    title: text(headline),
    ...(description && { body_text: text(description) }),
    ...(callToAction && { cta: text(callToAction) }),
    advertiser_name: text(advertiserOf(creative)),
    sponsored_label: text('Sponsored'),
    display_url: text(domain),
    landing_page_url: {
      asset_type: 'url',
      url: `${baseUrl}/api/v1/trusted-match/click/${bid.id}`,
      url_type: 'clickthrough',
    },
    impression_tracker: {
      asset_type: 'pixel_tracker',
      event: 'impression',
      method: 'img',
      url: impressionAddress(baseUrl, bid),
    },
  };
}

const text = (content: string) => ({ asset_type: 'text' as const, content });
