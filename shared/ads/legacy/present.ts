import type * as z from 'zod';
import type { Biddable } from '../../campaigns/biddable.ts';
import type { Creative } from '../../campaigns/creative.ts';
import { toUsd } from '../../platform/values/money.ts';
import { clickAddress } from '../bids/ad.ts';
import type { Issued } from '../bids/bid.ts';
import type { legacyAdResponse } from './legacy-response.ts';
import type { AdType } from './legacy-schema.ts';

/** An ad in the legacy API's response (api 6.1). Its landing page and tracking URLs are ours, so that clicks and impressions count. */
export function presentLegacyAd(
  bid: Issued,
  creative: Creative,
  type: AdType,
  category: string,
  { baseUrl, feedbackUrl }: { baseUrl: string; feedbackUrl: string },
): z.output<typeof legacyAdResponse> {
  const { headline, description, callToAction, imageUrl, videoUrl, thumbnailUrl } = creative;
  return {
    id: bid.id,
    campaignId: bid.campaignId,
    type,
    content: {
      headline,
      description,
      callToAction,
      landingUrl: clickAddress(baseUrl, bid.id),
      ...(type === 'image' ? { imageUrl } : {}),
      ...(type === 'video' ? { videoUrl, thumbnailUrl } : {}),
    },
    tracking: {
      impressionUrl: `${baseUrl}/api/v1/ad-serving/impression/${bid.id}`,
      clickUrl: `${baseUrl}/api/v1/ad-serving/click/${bid.id}`,
      feedbackUrl,
    },
    metadata: { relevanceScore: bid.relevance, bidAmount: toUsd(bid.price), category },
  };
}

/** Whether a campaign's creative supports an ad of this type (api 6.1). */
export const hasFormat = ({ hasImage, hasVideo }: Pick<Biddable, 'hasImage' | 'hasVideo'>, type: AdType): boolean =>
  type === 'text' || (type === 'image' ? hasImage : hasVideo);
