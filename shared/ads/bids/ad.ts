import type * as z from 'zod';
import type { Creative } from '../../campaigns/creative.ts';
import type { Served } from './bid.ts';
import type { adResponse } from './bid-response.ts';
import { toNativeAd } from './native-ad.ts';

/** The click URL of an ad: counts the click and redirects to the landing page (api 5.5). */
export const clickAddress = (baseUrl: string, bidId: string): string => `${baseUrl}/api/v1/click/${bidId}`;

/** An ad in the SSP API's response (api 5.4). @param readerUrls absent for previews, which no reader sees */
export function presentAd(
  { id, creative }: Pick<Served, 'id'> & { creative: Creative },
  baseUrl: string,
  readerUrls?: { feedbackUrl: string; viewableUrl: string },
): z.output<typeof adResponse> {
  const redirectUrl = clickAddress(baseUrl, id);
  return {
    adText: adText(creative),
    redirectUrl,
    ...(creative.imageUrl ? { imageUrl: creative.imageUrl } : {}),
    nativeAd: toNativeAd(creative, redirectUrl),
    ...readerUrls,
  };
}

/** Joins headline, description, and call to action into one text. Adds missing periods between the parts. */
export const adText = ({ headline, description, callToAction }: Creative): string =>
  [headline, description, callToAction]
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part, index, parts) => (index === parts.length - 1 || /[.!?…。！？]$/u.test(part) ? part : `${part}.`))
    .join(' ');
