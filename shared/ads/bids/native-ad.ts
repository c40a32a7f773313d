import * as z from 'zod';
import { type Creative, getAdvertiser, getSponsor } from '../../campaigns/creative.ts';

/** Types of data assets (OpenRTB Native 1.2, section 7.4) and of image assets (section 7.3). */
export const DATA_ASSET = { sponsored: 1, description: 2, displayUrl: 11, callToAction: 12 } as const;
export const MAIN_IMAGE = 3;

/** The disclosure that we add to OpenRTB Native, in SSP and OpenRTB responses: it marks the ad and names the advertiser. */
export const toNativeExt = (creative: Creative) => ({
  disclosure: { label: 'Sponsored' as const, advertiser: getAdvertiser(creative) },
});

/** Schema of a native ad in the SSP API's responses. */
export const nativeAdOutput = () =>
  z
    .object({
      ver: z.literal('1.2').describe('Version of OpenRTB Native'),
      link: z
        .object({ url: z.string().describe('Same as `redirectUrl`') })
        .meta({ id: 'NativeLink' })
        .describe('Where a click leads'),
      assets: z.array(assetOutput()).describe('Components of the ad. Components that the ad lacks are left out'),
      ext: z
        .object({
          disclosure: z
            .object({
              label: z.literal('Sponsored').describe('Show this label with the ad'),
              advertiser: z.string().describe('Who pays for the ad: `sponsoredBy`, or the domain of the landing page'),
            })
            .meta({ id: 'AdDisclosure' })
            .describe('Disclosure that this is an ad, and who the advertiser is'),
        })
        .meta({ id: 'NativeExt' })
        .describe('Extensions to OpenRTB Native'),
    })
    .meta({ id: 'NativeAd', description: 'The ad in components, as OpenRTB Native 1.2' });

const assetOutput = () =>
  z
    .object({
      id: z.int().describe('ID of the asset within this ad'),
      required: z.literal(1).optional().describe('1 if you must show it'),
      title: z
        .object({ text: z.string().describe('The headline') })
        .meta({ id: 'NativeTitle' })
        .optional()
        .describe('The title'),
      data: z
        .object({
          type: z.int().describe('1 sponsored by, 2 description, 12 call to action'),
          value: z.string().describe('The text'),
        })
        .meta({ id: 'NativeData' })
        .optional()
        .describe('A text of the ad'),
      img: z
        .object({ type: z.int().describe('3: main image'), url: z.string().describe('URL of the image') })
        .meta({ id: 'NativeImage' })
        .optional()
        .describe('The image'),
    })
    .meta({ id: 'NativeAsset' });

type NativeAd = z.output<ReturnType<typeof nativeAdOutput>>;

/** Converts a creative to OpenRTB Native 1.2 (section 5). @param clickUrl counts the click and redirects */
export function toNativeAd(creative: Creative, clickUrl: string): NativeAd {
  const { headline, description, callToAction, imageUrl } = creative;
  const data = (id: number, type: number, value: string) => (value?.trim() ? [{ id, data: { type, value } }] : []);
  return {
    ver: '1.2',
    link: { url: clickUrl },
    assets: [
      { id: 1, required: 1, title: { text: headline } },
      ...data(2, DATA_ASSET.description, description),
      ...data(3, DATA_ASSET.callToAction, callToAction),
      ...data(4, DATA_ASSET.sponsored, getSponsor(creative)),
      ...(imageUrl ? [{ id: 5, img: { type: MAIN_IMAGE, url: imageUrl } }] : []),
    ],
    ext: toNativeExt(creative),
  };
}
