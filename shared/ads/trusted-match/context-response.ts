import * as z from 'zod';
import { usdResponse } from '../../platform/values/response-schema.ts';

const text = z
  .object({
    asset_type: z.literal('text').describe('What the asset is'),
    content: z.string().describe('The text'),
  })
  .meta({ id: 'TrustedMatchText' });

/** An ad in the protocol's native format. */
const assets = z.object({
  title: text.describe('The headline'),
  body_text: text.optional().describe('The description; absent where there is none'),
  cta: text.optional().describe('The call to action; absent where there is none'),
  advertiser_name: text.describe('Who pays for the ad'),
  sponsored_label: text.describe('The disclosure: what the ad must be marked with where it is shown'),
  display_url: text.describe("The advertiser's domain"),
  landing_page_url: z
    .object({
      asset_type: z.literal('url').describe('What the asset is'),
      url: z.string().describe('Where a reader goes: the click is counted here and led on'),
      url_type: z.literal('clickthrough').describe('For readers'),
    })
    .describe('The link of the ad'),
  impression_tracker: z
    .object({
      asset_type: z.literal('pixel_tracker').describe('What the asset is'),
      event: z.literal('impression').describe('To be called when the ad is shown'),
      method: z.literal('img').describe('By a GET, as a picture'),
      url: z.string().describe('Charges the impression, once; holds for a day'),
    })
    .describe('What tells that the ad is shown'),
});

export const offer = z
  .object({
    package_id: z.string().describe('The campaign'),
    brand: z
      .object({ domain: z.string().describe("The advertiser's domain") })
      .optional()
      .describe('Who advertises; absent where the landing page is on an address'),
    price: z
      .object({
        amount: usdResponse.describe('CPM in USD'),
        currency: z.literal('USD').describe('USD'),
        model: z.literal('cpm').describe('For a thousand impressions'),
      })
      .describe('What the impression is charged at'),
    summary: z.string().describe('The ad as one text, to judge whether it fits'),
    creative_manifest: z
      .object({
        format_kind: z.literal('native_in_feed').describe("The protocol's format"),
        assets: assets.describe('The parts of the ad'),
      })
      .describe('The ad'),
  })
  .meta({ id: 'TrustedMatchOffer' });

export const contextMatch = z.object({
  status: z.literal('completed').describe("Of the protocol's envelope"),
  type: z.literal('context_match_response').describe('The message'),
  request_id: z.string().describe('Of the request'),
  offers: z.array(offer).describe('The offer; empty where no campaign fits'),
  cache_ttl: z.literal(0).describe('Seconds for which a router may give the answer to others: none'),
});

const decided = z.object({
  type: z.literal('error').describe('The message'),
  request_id: z.string().describe('Of the request'),
  code: z.literal('rate_limited').describe('Which error'),
  message: z.string().describe('What is wrong'),
});

/** The answer to a Context Match request (api 11.3), and the error that comes with its status. */
export const contextMatchResponse = z
  .discriminatedUnion('type', [contextMatch, decided])
  .meta({ id: 'ContextMatchResponse' });
