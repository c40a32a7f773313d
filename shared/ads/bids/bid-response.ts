import * as z from 'zod';
import { nativeAdOutput } from './native-ad.ts';

const times = z.int();

/** Optional, because services of an earlier version do not send it. */
export const feedbackUrlResponse = z
  .string()
  .optional()
  .describe(
    'POST to it, without a key, when the reader says that the ad is not relevant. Counts once per ad. A GET shows a form',
  );

const viewableUrlResponse = z
  .string()
  .optional()
  .describe(
    'POST to it, without a key and a body, once half of the ad was visible for one second. Counts once per ad as a viewable impression, which is reported but charges nothing',
  );

const adDebug = z
  .object({
    requestId: z.string().describe('Same as in `x-request-id`'),
    campaignId: z.string().describe('Campaign of the ad'),
    clicks: z
      .object({
        valid: times.describe('1 if a valid click was counted, otherwise 0'),
        repeat: times.describe('Valid clicks after the first'),
        head: times.describe('HEAD requests'),
        prefetch: times.describe('Prefetches'),
        bot: times.describe('Requests by declared crawlers and link previews'),
      })
      .meta({ id: 'ClickAttempts' })
      .describe('Requests for the click link, by result'),
    timingsMs: z.record(z.string(), z.number()).describe('Duration of each step, in milliseconds'),
  })
  .meta({ id: 'AdDebug' });

/** An ad in the response to a publisher (api 5.4). */
export const adResponse = z
  .object({
    adText: z.string().describe('Show it with the label "Sponsored"'),
    redirectUrl: z.string().describe('Link to open on a click. Counts the click and redirects to the landing page'),
    imageUrl: z.string().optional().describe('Image of the ad, if it has one'),
    nativeAd: nativeAdOutput(),
    feedbackUrl: feedbackUrlResponse,
    viewableUrl: viewableUrlResponse,
    debug: adDebug.optional().describe('With X-Debug: true'),
  })
  .meta({ id: 'Ad' });
