import type * as z from 'zod';
import { advertiserOf, type Creative, sponsorOf } from '../../platform/values/creative.ts';
import type { Served } from './bid.ts';
import type { adResponse } from './bid-response.ts';

/** The address that a person follows: it counts the click and leads on (api 5.5). */
export const clickAddress = (baseUrl: string, bidId: string): string => `${baseUrl}/api/v1/click/${bidId}`;

/** An ad as an exchange gets it (api 5.4). */
export function presentAd(
  { id, creative }: Pick<Served, 'id'> & { creative: Creative },
  baseUrl: string,
): z.output<typeof adResponse> {
  const redirectUrl = clickAddress(baseUrl, id);
  return {
    adText: adText(creative),
    redirectUrl,
    ...(creative.imageUrl ? { imageUrl: creative.imageUrl } : {}),
    nativeAd: nativeAd(creative, redirectUrl),
  };
}

/** Headline, description and call to action as one readable text: sentences, each with an end. */
export const adText = ({ headline, description, callToAction }: Creative): string =>
  [headline, description, callToAction]
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part, index, parts) => (index === parts.length - 1 || /[.!?…。！？]$/u.test(part) ? part : `${part}.`))
    .join(' ');

/** OpenRTB Native 1.2: data asset types (section 7.4) and image asset types (section 7.3). */
const DATA = { sponsored: 1, description: 2, callToAction: 12 } as const;
const MAIN_IMAGE = 3;

/** The same ad in components (OpenRTB Native 1.2, section 5); absent assets are left out. */
function nativeAd(creative: Creative, url: string): z.output<typeof adResponse>['nativeAd'] {
  const { headline, description, callToAction, imageUrl } = creative;
  const data = (id: number, type: number, value: string) => (value?.trim() ? [{ id, data: { type, value } }] : []);
  return {
    ver: '1.2',
    link: { url },
    assets: [
      { id: 1, required: 1, title: { text: headline } },
      ...data(2, DATA.description, description),
      ...data(3, DATA.callToAction, callToAction),
      ...data(4, DATA.sponsored, sponsorOf(creative)),
      ...(imageUrl ? [{ id: 5, img: { type: MAIN_IMAGE, url: imageUrl } }] : []),
    ],
    ext: { disclosure: { label: 'Sponsored', advertiser: advertiserOf(creative) } },
  };
}
