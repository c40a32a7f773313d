import * as z from 'zod';
import { moment, usdResponse } from '../../platform/values/response-schema.ts';
import { auctionResponse } from '../auction/auction-response.ts';
import { AD_TYPES } from './legacy-schema.ts';

/** An ad as the legacy API answers it (api 6.1). */
export const legacyAdResponse = z
  .object({
    id: z.string().describe('Names the ad in the tracking operations'),
    campaignId: z.string().describe('The campaign whose ad it is'),
    type: z.enum(AD_TYPES).describe('The format that was asked for'),
    content: z
      .object({
        headline: z.string().describe('Title of the ad'),
        description: z.string().describe('Text of the ad'),
        callToAction: z.string().describe('What the reader may do'),
        landingUrl: z.string().describe('Where the reader is led: an address of this service, which redirects'),
        imageUrl: z.string().optional().describe('Picture, of the format `image`'),
        videoUrl: z.string().optional().describe('Video, of the format `video`'),
        thumbnailUrl: z.string().optional().describe('Still of the video, of the format `video`'),
      })
      .describe('What to show, under the label "Sponsored"'),
    tracking: z
      .object({
        impressionUrl: z.string().describe('To be called when the ad is shown: the first call is charged'),
        clickUrl: z.string().describe('Answers JSON with the landing page; instead of following `content.landingUrl`'),
      })
      .describe('Addresses to call'),
    metadata: z
      .object({
        relevanceScore: z.number().describe('Estimated chance that the ad is right here, 0 to 1'),
        bidAmount: usdResponse.describe('CPM in USD'),
        category: z.string().describe('Topic of the IAB Content Taxonomy'),
      })
      .describe('What is known of the ad'),
  })
  .meta({ id: 'LegacyAd' });

export const legacyAdsResponse = z
  .object({
    ads: z.array(legacyAdResponse).describe('One to `maxAds` ads, the best first, no campaign twice'),
    requestId: z.string().describe('The same as in `x-request-id`'),
    timestamp: moment.describe('When it was answered'),
    debug: auctionResponse.optional().describe('With X-Debug: true'),
  })
  .meta({ id: 'LegacyAds' });

/** What tracking answers (api 6.2). */
export const legacyClickResponse = z
  .object({
    success: z.literal(true).describe('Always true: what fails is an error'),
    adId: z.string().describe('The ad that was clicked'),
    clickId: z.string().describe('The click; the same for a repeat'),
    redirectUrl: z.string().describe('The landing page, with `click_id` in its query'),
    timestamp: moment.describe('When the click came'),
  })
  .meta({ id: 'LegacyClick' });

export const legacyImpressionResponse = z
  .object({
    success: z.literal(true).describe('Always true: what fails is an error'),
    adId: z.string().describe('The ad that was shown'),
    impressionId: z.string().describe('The impression; the same for a repeat'),
    timestamp: moment.describe('When it came'),
  })
  .meta({ id: 'LegacyImpression' });
