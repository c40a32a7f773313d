import * as z from 'zod';
import { noBidReasons } from '../platform/values/outcomes.ts';
import { countValue, moment, usdResponse } from '../platform/values/response-schema.ts';
import { settingResponses } from './setting-fields.ts';

/** What came of a key in a time. */
const figures = {
  requests: countValue.describe(
    'Ads asked for: each request of the SSP API or of Trusted Match is one, each impression of an exchange is one, a legacy request is as many as its `maxAds`',
  ),
  bids: countValue.describe('Ads that were bid'),
  fillRate: z.number().min(0).max(1).nullable().describe('Bids / requests, four decimals; null without requests'),
  impressions: countValue.describe('Impressions charged'),
  clicks: countValue.describe('Valid first clicks'),
  earnings: usdResponse.describe("The publisher's share of what those impressions were charged, USD"),
};

/** An API key as clients see it (api 2). */
export const apiKeyResponse = z
  .object({
    id: z.string().describe('Begins with `key_`'),
    name: z.string().describe('What the publisher calls it, 1 to 200 characters'),
    key: z.string().describe('Whole in the answer of its creation, masked in every other'),
    mode: z
      .enum(['live', 'test'])
      .describe('Bids, ads and clicks of a test key work alike; they spend nothing, count nothing and send nothing'),
    bidFloor: usdResponse.describe('USD CPM; a bid strictly below it does not take part'),
    judge: z.boolean().describe('Whether its conversations may be shown to a language model for a second opinion'),
    ...settingResponses,
    isActive: z.boolean().describe('False while it is switched off: every use is a 401 then'),
    createdAt: moment.describe('When it was made'),
    lastUsedAt: moment.nullable().describe('The last request that it authenticated; null before the first'),
    requestCount: countValue.describe('Requests that it authenticated, those refused for their rate aside'),
    oldKeyUntil: moment
      .nullable()
      .describe(
        'Until when the secret before the last rotation is accepted, or was; null where it was revoked, or there was none',
      ),
    oldKeysUntil: z
      .array(moment)
      .describe(
        'Until when each replaced secret that still works is accepted, the last one replaced first; at most five',
      ),
  })
  .meta({ id: 'ApiKey' });

/** A key in the list of them (api 2). */
export const listedKeyResponse = apiKeyResponse
  .extend({ figures: z.object(figures).optional().describe('What came of it on the `days` asked for; absent without') })
  .meta({ id: 'ListedApiKey' });

/** One UTC day of a key (api 2.1). */
export const keyDayResponse = z
  .object({
    date: z.iso.date().describe('The day in UTC'),
    ...figures,
    approximateNoBids: z
      .partialRecord(z.enum(noBidReasons), countValue)
      .describe(
        'Requests without a bid, by reason. Approximate: instances tell it about once a minute, and what one holds when it ends is lost',
      ),
  })
  .meta({ id: 'KeyReportDay' });
