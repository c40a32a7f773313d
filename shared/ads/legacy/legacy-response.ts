import * as z from 'zod';
import { moment, usdResponse } from '../../platform/values/response-schema.ts';
import { auctionResponse } from '../auction/auction-response.ts';
import { feedbackUrlResponse } from '../bids/bid-response.ts';
import { AD_TYPES } from './legacy-schema.ts';

/** Schema of an ad in a legacy response (api 6.1). */
export const legacyAdResponse = z
  .object({
    id: z.string().describe('ID of the ad, for the tracking operations'),
    campaignId: z.string().describe('Campaign that the ad belongs to'),
    type: z.enum(AD_TYPES).describe('Requested ad format'),
    content: z
      .object({
        headline: z.string().describe('Headline of the ad'),
        description: z.string().describe('Body text of the ad'),
        callToAction: z.string().describe('Call to action'),
        landingUrl: z.string().describe('Link to open on a click. Counts the click and redirects to the landing page'),
        imageUrl: z.string().optional().describe('Image. Only for the format `image`'),
        videoUrl: z.string().optional().describe('Video. Only for the format `video`'),
        thumbnailUrl: z.string().optional().describe('Still image of the video. Only for the format `video`'),
      })
      .meta({ id: 'LegacyAdContent' })
      .describe('Content to show with the label "Sponsored"'),
    tracking: z
      .object({
        impressionUrl: z.string().describe('Call it when the ad is shown. The first call charges the impression'),
        clickUrl: z
          .string()
          .describe('Alternative to `content.landingUrl`: counts the click and returns the landing page as JSON'),
        feedbackUrl: feedbackUrlResponse,
      })
      .meta({ id: 'LegacyAdTracking' })
      .describe('Tracking URLs'),
    metadata: z
      .object({
        relevanceScore: z.number().describe('Estimated probability that the ad fits the conversation, from 0 to 1'),
        bidAmount: usdResponse.describe('CPM in USD'),
        category: z.string().describe('Category of the campaign in the IAB Content Taxonomy'),
      })
      .meta({ id: 'LegacyAdMetadata' })
      .describe('Relevance, price, and category of the ad'),
  })
  .meta({ id: 'LegacyAd' });

export const legacyAdsResponse = z
  .object({
    ads: z.array(legacyAdResponse).describe('From 1 to `maxAds` ads, best first. Each campaign appears at most once'),
    requestId: z.string().describe('Same as the `x-request-id` header'),
    timestamp: moment.describe('Time of the response'),
    debug: auctionResponse.optional().describe('Details of the auction. Only with `X-Debug: true`'),
  })
  .meta({ id: 'LegacyAds' });

/** Schemas of the tracking responses (api 6.2). */
export const legacyClickResponse = z
  .object({
    success: z.literal(true).describe('Always true. Failures return an error'),
    adId: z.string().describe('ID of the ad that was clicked'),
    clickId: z.string().describe('ID of the click. A repeated call returns the same ID'),
    redirectUrl: z.string().describe('Landing page, with the query parameter `click_id`'),
    timestamp: moment.describe('Time of the click'),
  })
  .meta({ id: 'LegacyClick' });

export const legacyImpressionResponse = z
  .object({
    success: z.literal(true).describe('Always true. Failures return an error'),
    adId: z.string().describe('ID of the ad that was shown'),
    impressionId: z.string().describe('ID of the impression. A repeated call returns the same ID'),
    timestamp: moment.describe('Time of the impression'),
  })
  .meta({ id: 'LegacyImpression' });
