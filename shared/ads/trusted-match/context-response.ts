import * as z from 'zod';
import { type Creative, getAdvertiser } from '../../campaigns/creative.ts';
import { toUsd } from '../../platform/values/money.ts';
import { usdResponse } from '../../platform/values/response-schema.ts';
import { getDomain } from '../../platform/values/urls.ts';
import { adText } from '../bids/ad.ts';
import type { Issued } from '../bids/bid.ts';
import { getImpressionUrl } from '../openrtb/notices.ts';

const textOutput = () =>
  z
    .object({
      asset_type: z.literal('text').describe('Type of the asset'),
      content: z.string().describe('The text'),
    })
    .meta({ id: 'TrustedMatchText' });

/** Schema of an ad in the protocol's native format. */
function assetsOutput() {
  const text = textOutput();
  return z
    .object({
      title: text.describe('Headline'),
      body_text: text.optional().describe('Description, if the ad has one'),
      cta: text.optional().describe('Call to action, if the ad has one'),
      advertiser_name: text.describe('Who pays for the ad'),
      sponsored_label: text.describe('Disclosure to show with the ad'),
      display_url: text.describe("The advertiser's domain"),
      landing_page_url: z
        .object({
          asset_type: z.literal('url').describe('Type of the asset'),
          url: z.string().describe('Link to open on a click. Counts the click and redirects to the landing page'),
          url_type: z.literal('clickthrough').describe('Opened by the user'),
        })
        .meta({ id: 'TrustedMatchLink' })
        .describe('Link of the ad'),
      impression_tracker: z
        .object({
          asset_type: z.literal('pixel_tracker').describe('Type of the asset'),
          event: z.literal('impression').describe('Call it when the ad is shown'),
          method: z.literal('img').describe('Load it with GET, as an image'),
          url: z.string().describe('Charges the impression, once. Valid for a day'),
        })
        .meta({ id: 'TrustedMatchTracker' })
        .describe('Impression tracker'),
    })
    .meta({ id: 'TrustedMatchAssets' });
}

/** Schema of an offer in a Context Match response (api 11.3). */
const offerOutput = () =>
  z
    .object({
      package_id: z.string().describe('The campaign'),
      brand: z
        .object({ domain: z.string().describe("The advertiser's domain") })
        .meta({ id: 'TrustedMatchBrand' })
        .optional()
        .describe('The advertiser. Absent if the landing page is on an IP address'),
      price: z
        .object({
          amount: usdResponse.describe('CPM in USD'),
          currency: z.literal('USD').describe('Currency'),
          model: z.literal('cpm').describe('Price of 1,000 impressions'),
        })
        .meta({ id: 'TrustedMatchPrice' })
        .describe('Price of the impression'),
      summary: z.string().describe('The ad as one text, to judge whether it fits'),
      creative_manifest: z
        .object({
          format_kind: z.literal('native_in_feed').describe("The protocol's format"),
          assets: assetsOutput().describe('Components of the ad'),
        })
        .meta({ id: 'TrustedMatchCreative' })
        .describe('The ad'),
    })
    .meta({ id: 'TrustedMatchOffer' });

type Offer = z.output<ReturnType<typeof offerOutput>>;

const contextMatchOutput = () =>
  z
    .object({
      status: z.literal('completed').describe('Status of the task'),
      type: z.literal('context_match_response').describe('Type of the message'),
      request_id: z.string().describe('Same as in the request'),
      offers: z.array(offerOutput()).describe('One offer, or none if no campaign fits'),
      cache_ttl: z.literal(0).describe('Seconds for which a router may reuse the response: never'),
    })
    .meta({ id: 'ContextMatch' });

const errorOutput = () =>
  z
    .object({
      type: z.literal('error').describe('Type of the message'),
      request_id: z.string().describe('Same as in the request'),
      code: z.literal('rate_limited').describe('Error code'),
      message: z.string().describe('What is wrong'),
    })
    .meta({ id: 'ContextMatchError' });

/** Schema of the response to a Context Match request (api 11.3), and of the error that comes with its status. */
export const contextMatchResponse = () =>
  z.discriminatedUnion('type', [contextMatchOutput(), errorOutput()]).meta({ id: 'ContextMatchResponse' });

/**
 * A router caches responses for five minutes by default, and reuses them for everyone on the same page. An ad that fits one conversation
 * would appear in others, so `cache_ttl` forbids it.
 */
export const toContextMatch = (
  requestId: string,
  offers: Offer[],
): z.output<ReturnType<typeof contextMatchOutput>> => ({
  status: 'completed',
  type: 'context_match_response',
  request_id: requestId,
  offers,
  cache_ttl: 0,
});

/** Domains that the protocol accepts for a brand; a landing page may be on an IP address. */
const BRAND_DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** Presents an issued bid as an offer with its ad. The protocol's packages are our campaigns. */
export function toOffer(bid: Issued, creative: Creative, baseUrl: string): Offer {
  const domain = getDomain(creative.landingUrl);
  return {
    package_id: bid.campaignId,
    ...(BRAND_DOMAIN.test(domain) && { brand: { domain } }),
    price: { amount: toUsd(bid.price), currency: 'USD', model: 'cpm' },
    summary: adText(creative),
    creative_manifest: { format_kind: 'native_in_feed', assets: toAssets(bid, creative, domain, baseUrl) },
  };
}

/** Omit the image: the protocol requires its size, which we do not know. */
function toAssets(
  bid: Issued,
  creative: Creative,
  domain: string,
  baseUrl: string,
): Offer['creative_manifest']['assets'] {
  const { headline, description, callToAction } = creative;
  return {
    title: text(headline),
    ...(description && { body_text: text(description) }),
    ...(callToAction && { cta: text(callToAction) }),
    advertiser_name: text(getAdvertiser(creative)),
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
      url: getImpressionUrl(baseUrl, bid),
    },
  };
}

const text = (content: string) => ({ asset_type: 'text' as const, content });
