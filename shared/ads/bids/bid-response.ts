import * as z from 'zod';

const asset = z.object({
  id: z.int().describe('Number of the asset in this ad'),
  required: z.literal(1).optional().describe('1 for what must be shown'),
  title: z
    .object({ text: z.string().describe('The headline') })
    .optional()
    .describe('The title'),
  data: z
    .object({
      type: z.int().describe('1 sponsored by, 2 description, 12 call to action'),
      value: z.string().describe('The text'),
    })
    .optional()
    .describe('A text of the ad'),
  img: z
    .object({ type: z.int().describe('3: the main picture'), url: z.string().describe('Its address') })
    .optional()
    .describe('The picture'),
});

const nativeAd = z
  .object({
    ver: z.literal('1.2').describe('Version of OpenRTB Native'),
    link: z.object({ url: z.string().describe('The same as `redirectUrl`') }).describe('Where a click leads'),
    assets: z.array(asset).describe('The parts of the ad; those that it lacks are left out'),
    ext: z
      .object({
        disclosure: z
          .object({
            label: z.literal('Sponsored').describe('To be shown with the ad'),
            advertiser: z.string().describe('Whose ad it is: `sponsoredBy`, or else the domain of the landing page'),
          })
          .describe('That it is an ad, and whose'),
      })
      .describe('What goes beyond OpenRTB'),
  })
  .meta({ id: 'NativeAd', description: 'The ad in components, as OpenRTB Native 1.2' });

const times = z.int();

const adDebug = z
  .object({
    requestId: z.string().describe('The same as in `x-request-id`'),
    campaignId: z.string().describe('Of whom the ad is'),
    clicks: z
      .object({
        valid: times.describe('1 once there was a valid click, which counts'),
        repeat: times.describe('Valid ones after it'),
        head: times.describe('HEAD requests'),
        prefetch: times.describe('Prefetches'),
        bot: times.describe('Declared crawlers and link previews'),
      })
      .describe('What became of the requests for the link'),
    timingsMs: z.record(z.string(), z.number()).describe('How long the parts took, milliseconds'),
  })
  .meta({ id: 'AdDebug' });

/** An ad as an exchange gets it (api 5.4). */
export const adResponse = z
  .object({
    adText: z.string().describe('Show it with the label "Sponsored"'),
    redirectUrl: z.string().describe('Where a click leads: counted here, then on to the landing page'),
    imageUrl: z.string().optional().describe('Picture of the ad, where it has one'),
    nativeAd,
    debug: adDebug.optional().describe('With X-Debug: true'),
  })
  .meta({ id: 'Ad' });
