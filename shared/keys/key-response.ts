import * as z from 'zod';
import { keyDimensions } from '../platform/values/dimensions.ts';
import { noBidReasons } from '../platform/values/outcomes.ts';
import {
  countValue,
  moment,
  suspectClicksResponse,
  usdResponse,
  viewableImpressionsResponse,
} from '../platform/values/response-schema.ts';
import { settingResponses } from './setting-fields.ts';

/** Figures of a key in a period. */
const figures = {
  requests: countValue.describe(
    'Requested ads: one for each SSP or Trusted Match request, one for each impression of an exchange request, and `maxAds` for a legacy request',
  ),
  bids: countValue.describe('Bids made'),
  fillRate: z.number().min(0).max(1).nullable().describe('Bids / requests, four decimals; null without requests'),
  impressions: countValue.describe('Charged impressions'),
  clicks: countValue.describe('Valid first clicks'),
  notRelevant: countValue.describe('Impressions that their readers reported as not relevant'),
  viewableImpressions: viewableImpressionsResponse,
  suspectClicks: suspectClicksResponse,
  earnings: usdResponse.describe("The publisher's share of the charges for these impressions, USD"),
};

/** Figures of all keys of a user in a period. */
export const keyFigures = z.object(figures).meta({ id: 'KeyFigures' });

/** An API key as clients see it (api 2). */
export const apiKeyResponse = z
  .object({
    id: z.string().describe('Begins with `key_`'),
    name: z.string().describe("The publisher's name for the key, 1 to 200 characters"),
    key: z.string().describe('The full key when it is created or rotated; masked in every other response'),
    mode: z
      .enum(['live', 'test'])
      .describe(
        'A `test` key returns ads like a `live` key, but spends no budget, adds to no count, and sends no event',
      ),
    bidFloor: usdResponse.describe('Minimum price, USD CPM; lower bids are excluded'),
    judge: z.boolean().describe("Whether a language model may read this key's conversations to check that an ad fits"),
    ...settingResponses,
    isActive: z.boolean().describe('If false, requests with this key return 401'),
    createdAt: moment.describe('When it was created'),
    lastUsedAt: moment.nullable().describe('When it last authenticated a request; null before the first one'),
    requestCount: countValue.describe('Authenticated requests, except those that exceeded the rate limit'),
    oldKeyUntil: moment
      .nullable()
      .describe(
        'When the secret before the last rotation stops working, or stopped; null if it was revoked or never existed',
      ),
    oldKeysUntil: z
      .array(moment)
      .describe('When each replaced secret that still works stops working, most recently replaced first; at most five'),
  })
  .meta({ id: 'ApiKey' });

/** A key in the list of keys (api 2). */
export const listedKeyResponse = apiKeyResponse
  .extend({ figures: keyFigures.optional().describe('Figures of the requested `days`; absent without `days`') })
  .meta({ id: 'ListedApiKey' });

/** One UTC day of a key (api 2.1). */
export const keyDayResponse = z
  .object({
    date: z.iso.date().describe('The UTC day'),
    ...figures,
    approximateNoBids: z
      .partialRecord(z.enum(noBidReasons), countValue)
      .describe(
        'Requests without a bid, by reason. Approximate: servers report about once a minute, and a server that stops loses its unreported counts',
      ),
    approximateFills: z
      .object({
        strict: countValue.describe('Requests that `strict` would have filled'),
        balanced: countValue.describe('Requests that `balanced` would have filled, including those of `strict`'),
        open: countValue.describe('Requests that `open` would have filled, including those of `balanced`'),
      })
      .meta({ id: 'KeyFills' })
      .nullable()
      .describe(
        'Requests that each `adStrictness` would have filled, at the budgets and limits of their time. Approximate like `approximateNoBids`. Null for days before this was counted',
      ),
  })
  .meta({ id: 'KeyReportDay' });

/** One UTC day and value of a key's report by a dimension. */
export const keyBreakdownResponse = z
  .object({
    date: z.iso.date().describe('The UTC day'),
    by: z.enum(keyDimensions).describe('What the report is broken down by'),
    value: z
      .string()
      .describe(
        "The country, the domain of the advertiser's landing page, or the variant. `none`: the bids had none, or their readers opted out. " +
          '`other`: the values after the 50 with the most impressions. `unattributed`: counted before breakdowns existed, or not broken down yet',
      ),
    label: z.string().describe('The value as people read it'),
    bids: figures.bids,
    impressions: figures.impressions,
    clicks: figures.clicks,
    earnings: figures.earnings,
  })
  .meta({ id: 'KeyBreakdownRow' });
