import * as z from 'zod';
import { auctionResponse } from '../bidding/response.ts';
import { moment, usdResponse } from '../values/response-schema.ts';
import { AD_TYPES } from './schema.ts';

/** An ad as the legacy API answers it (api 6.1). */
export const legacyAdResponse = z
  .object({
    id: z.string(),
    campaignId: z.string(),
    type: z.enum(AD_TYPES),
    content: z.object({
      headline: z.string(),
      description: z.string(),
      callToAction: z.string(),
      landingUrl: z.string(),
      imageUrl: z.string().optional(),
      videoUrl: z.string().optional(),
      thumbnailUrl: z.string().optional(),
    }),
    tracking: z.object({ impressionUrl: z.string(), clickUrl: z.string() }),
    metadata: z.object({ relevanceScore: z.number(), bidAmount: usdResponse, category: z.string() }),
  })
  .meta({ id: 'LegacyAd' });

export const legacyAdsResponse = z
  .object({
    ads: z.array(legacyAdResponse),
    requestId: z.string(),
    timestamp: moment,
    debug: auctionResponse.optional().describe('With X-Debug: true'),
  })
  .meta({ id: 'LegacyAds' });

/** What tracking answers (api 6.2). */
export const legacyClickResponse = z
  .object({
    success: z.literal(true),
    adId: z.string(),
    clickId: z.string(),
    redirectUrl: z.string(),
    timestamp: moment,
  })
  .meta({ id: 'LegacyClick' });

export const legacyImpressionResponse = z
  .object({ success: z.literal(true), adId: z.string(), impressionId: z.string(), timestamp: moment })
  .meta({ id: 'LegacyImpression' });
