import * as z from 'zod';

const asset = z.object({
  id: z.int(),
  required: z.literal(1).optional(),
  title: z.object({ text: z.string() }).optional(),
  data: z.object({ type: z.int(), value: z.string() }).optional(),
  img: z.object({ type: z.int(), url: z.string() }).optional(),
});

const nativeAd = z
  .object({
    ver: z.literal('1.2'),
    link: z.object({ url: z.string() }),
    assets: z.array(asset),
    ext: z.object({ disclosure: z.object({ label: z.literal('Sponsored'), advertiser: z.string() }) }),
  })
  .meta({ id: 'NativeAd', description: 'The ad in components, as OpenRTB Native 1.2' });

/** An ad as an exchange gets it (api 5.4). */
export const adResponse = z
  .object({
    adText: z.string().describe('Show it with the label "Sponsored"'),
    redirectUrl: z.string().describe('Where a click leads: counted here, then on to the landing page'),
    imageUrl: z.string().optional(),
    nativeAd,
  })
  .meta({ id: 'Ad' });
