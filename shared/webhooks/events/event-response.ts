import * as z from 'zod';
import { STATUSES } from '../../campaigns/campaign-schema.ts';
import { countValue, moment, usdResponse } from '../../platform/values/response-schema.ts';
import type { EventData } from './data.ts';
import { EVENT_TYPES, type EventType } from './types.ts';

/** What receivers of webhooks get (api 8.4), for the description of the API. */

const adId = z.string().describe('The ad: the `bidId` of an SSP ad, the `id` of a legacy one');
const campaignId = z.string().describe('The campaign');
const clickId = z.string().describe('The click, as in the `click_id` of the landing page');
const userId = z.string().describe("The publisher's name for the reader; empty unless told by a legacy request");
const sessionId = z.string().describe("The publisher's name for the session; empty unless told by a legacy request");
const campaignName = z.string().describe('What its advertiser calls it');
const budget = usdResponse.describe('What it may spend in all, USD');
const dailyBudget = usdResponse.describe('What it may spend in a UTC day, USD');
const spent = usdResponse.describe('What it had spent at that moment, USD');
const status = z.enum(STATUSES).describe('Its status then');

const context = z
  .object({
    conversation: z.string().describe('At most 2,000 characters, redacted; empty of an SSP ad'),
    user_query: z.string().describe('At most 2,000 characters, redacted; empty of an SSP ad'),
  })
  .describe('Where the ad was shown');
const metadata = z
  .object({
    user_agent: z.string().describe('Of the reader, where it is known'),
    ip_address: z.string().describe('Cut: IPv4 without its last octet, IPv6 its first 48 bits'),
    timestamp: moment.describe('When it happened'),
  })
  .describe('When and from where');

/** The data of each type; a type or a field that is missing here does not compile. */
const eventDataResponses = {
  'ad.impression': z.object({
    ad_id: adId,
    campaign_id: campaignId,
    user_id: userId,
    session_id: sessionId,
    context,
    placement: z
      .object({
        type: z.string().describe('inline, sidebar or overlay; empty where not told'),
        position: z.string().describe('before_response, after_response or middle; empty where not told'),
      })
      .describe('Where the ad stood'),
    metadata,
  }),
  'ad.click': z.object({
    ad_id: adId,
    campaign_id: campaignId,
    click_id: clickId,
    user_id: userId,
    session_id: sessionId,
    landing_url: z.string().describe("The campaign's landing page as its advertiser wrote it"),
    context,
    metadata,
  }),
  'ad.conversion': z.object({
    ad_id: adId,
    campaign_id: campaignId,
    click_id: clickId,
    conversion_id: z.string().describe('The conversion, unique for its advertiser'),
    user_id: userId,
    conversion_type: z.string().describe('What came of the click'),
    conversion_value: z.number().min(0).describe('What it is worth'),
    currency: z.string().describe('ISO 4217'),
    metadata: z.object({ timestamp: moment.describe('When it was recorded') }).describe('When'),
  }),
  'campaign.created': z.object({
    campaign_id: campaignId,
    campaign_name: campaignName,
    budget,
    daily_budget: dailyBudget,
    status,
    target_audience: z
      .object({
        keywords: z.array(z.string()).describe('Its keywords'),
        demographics: z
          .object({ age_range: z.string().describe('`<min>-<max>`; empty where there is none') })
          .describe('Whom it is meant for'),
      })
      .describe('Which conversations it is for'),
  }),
  'campaign.updated': z.object({
    campaign_id: campaignId,
    campaign_name: campaignName,
    changed: z.array(z.string()).describe('The fields that changed'),
    status,
    updated_at: z.string().describe('When it changed'),
  }),
  'campaign.paused': z.object({
    campaign_id: campaignId,
    campaign_name: campaignName,
    reason: z
      .enum(['user', 'budget', 'daily_budget'])
      .nullable()
      .describe('Its user, the spent budget, or the spent budget of the day'),
    spent,
    budget,
    daily_budget: dailyBudget,
  }),
  'campaign.budget_exhausted': z.object({
    campaign_id: campaignId,
    campaign_name: campaignName,
    budget,
    spent,
    performance: z
      .object({
        impressions: countValue.describe('Ads that were delivered and charged'),
        clicks: countValue.describe('Impressions that were clicked'),
        conversions: countValue.describe('Conversions that were recorded'),
        ctr: z.number().min(0).max(1).describe('clicks / impressions'),
        average_cpb: usdResponse.describe('USD per 1,000 impressions'),
      })
      .describe('What came of it'),
  }),
  'account.billing': z.object({
    kind: z.literal('daily_statement').describe('What kind of statement it is'),
    user_id: z.string().describe('Who spent'),
    date: z.string().describe('The day in UTC'),
    page: z.int().min(1).describe('Who has more than a hundred campaigns gets several events for a day'),
    pages: z.int().min(1).describe('How many events there are for the day'),
    currency: z.string().describe('USD'),
    spend: usdResponse.describe('What was spent on the day in all, on every page the same'),
    campaigns: z
      .array(
        z.object({
          campaign_id: campaignId,
          campaign_name: campaignName,
          impressions: countValue.describe('Charged on the day'),
          clicks: countValue.describe('Counted on the day'),
          conversions: countValue.describe('Recorded on the day'),
          spend: usdResponse.describe('Of this campaign on the day, USD'),
        }),
      )
      .describe('The campaigns of this page, deleted ones included'),
  }),
} satisfies { [T in EventType]: z.ZodType<EventData[T]> };

const MEANINGS: Readonly<Record<EventType, string>> = {
  'ad.impression': 'An ad was delivered and charged',
  'ad.click': 'An ad was clicked by a valid click, for the first time',
  'ad.conversion': 'A conversion was recorded',
  'campaign.created': 'A campaign was created',
  'campaign.updated': 'A campaign was changed by its user',
  'campaign.paused': 'A campaign was paused by its user, its budget or its budget of the day',
  'campaign.budget_exhausted': 'The whole budget of a campaign is spent',
  'account.billing': 'What a user spent on a UTC day, soon after its midnight',
};

/** The envelope of a type. */
const eventResponse = <T extends EventType>(type: T) =>
  z
    .object({
      id: z.string().describe('Begins with `evt_`; the same in every repeat and for every receiver'),
      type: z.literal(type).describe(MEANINGS[type]),
      created: moment.describe('When it happened'),
      data: eventDataResponses[type].describe('What happened'),
      api_version: z.literal('v1').describe('The version of this shape'),
    })
    .meta({ id: `${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event` });

interface EventDescription {
  type: EventType;
  meaning: string;
  body: ReturnType<typeof eventResponse>;
}

/** Each type of event in the order of their table. */
export const eventDescriptions: readonly EventDescription[] = EVENT_TYPES.map((type) => ({
  type,
  meaning: MEANINGS[type],
  body: eventResponse(type),
}));
