import * as z from 'zod';
import { STATUSES } from '../../campaigns/campaign.ts';
import { countValue, moment, usdResponse } from '../../platform/values/response-schema.ts';
import type { EventData } from './data.ts';
import { EVENT_TYPES, type EventType } from './types.ts';

/** The events that receivers get (api 8.4), as OpenAPI describes them. */

const adId = z.string().describe('Identifies the ad: the `bidId` of an SSP ad, or the `id` of a legacy ad');
const campaignId = z.string().describe('Identifies the campaign');
const clickId = z.string().describe('Identifies the click: the `click_id` parameter of the landing page');
const userId = z.string().describe("The publisher's id of the user; empty if a legacy request did not send one");
const sessionId = z.string().describe("The publisher's id of the session; empty if a legacy request did not send one");
const campaignName = z.string().describe('The name of the campaign');
const budget = usdResponse.describe('Total budget, USD');
const dailyBudget = usdResponse.describe('Budget per UTC day, USD');
const spent = usdResponse.describe('Amount spent when the event happened, USD');
const status = z.enum(STATUSES).describe('The status of the campaign after the event');

const context = z
  .object({
    conversation: z.string().describe('The conversation, redacted, at most 2,000 characters; empty for an SSP ad'),
    user_query: z.string().describe("The user's query, redacted, at most 2,000 characters; empty for an SSP ad"),
  })
  .meta({ id: 'EventContext' })
  .describe('The conversation in which the ad was shown');
const metadata = z
  .object({
    user_agent: z.string().describe("The user agent of the user's device; empty if unknown"),
    ip_address: z.string().describe('Truncated IP address: IPv4 without its last octet, IPv6 to its first 48 bits'),
    timestamp: moment.describe('When the event happened'),
  })
  .meta({ id: 'EventMetadata' })
  .describe('Time and origin of the event');

/** The data of each event type. A missing type or field is a compile error. */
const eventDataResponses = {
  'ad.impression': z.object({
    ad_id: adId,
    campaign_id: campaignId,
    user_id: userId,
    session_id: sessionId,
    context,
    placement: z
      .object({
        type: z.string().describe('`inline`, `sidebar`, or `overlay`; empty if the request did not send it'),
        position: z
          .string()
          .describe('`before_response`, `after_response`, or `middle`; empty if the request did not send it'),
      })
      .meta({ id: 'EventPlacement' })
      .describe('Where the ad was placed'),
    metadata,
    schain: z
      .object({
        complete: z.literal([0, 1]).describe('1 if the chain of sellers is complete'),
        asi: z.string().optional().describe("Domain of the last seller's advertising system"),
        sid: z.string().optional().describe('ID of the last seller in that system'),
      })
      .meta({ id: 'SupplyChain' })
      .optional()
      .describe('Supply chain of an OpenRTB request that stated it; only for the owner of the API key'),
  }),
  'ad.click': z.object({
    ad_id: adId,
    campaign_id: campaignId,
    click_id: clickId,
    user_id: userId,
    session_id: sessionId,
    landing_url: z.string().describe("The campaign's landing page, exactly as the advertiser entered it"),
    context,
    metadata,
  }),
  'ad.conversion': z.object({
    ad_id: adId,
    campaign_id: campaignId,
    click_id: clickId,
    conversion_id: z.string().describe('Identifies the conversion; unique per advertiser'),
    user_id: userId,
    conversion_type: z.string().describe('The kind of conversion, such as `purchase`'),
    conversion_value: z.number().min(0).describe('The value of the conversion, in `currency`'),
    currency: z.string().describe('Currency code (ISO 4217)'),
    metadata: z
      .object({ timestamp: moment.describe('When the conversion was recorded') })
      .meta({ id: 'ConversionMetadata' })
      .describe('Time of the conversion'),
  }),
  'campaign.created': z.object({
    campaign_id: campaignId,
    campaign_name: campaignName,
    budget,
    daily_budget: dailyBudget,
    status,
    target_audience: z
      .object({
        keywords: z.array(z.string()).describe('Targeted keywords'),
        demographics: z
          .object({ age_range: z.string().describe('`<min>-<max>`; empty if the campaign has no age range') })
          .meta({ id: 'EventDemographics' })
          .describe('Targeted users'),
      })
      .meta({ id: 'EventTargetAudience' })
      .describe('Targeting of the campaign'),
  }),
  'campaign.updated': z.object({
    campaign_id: campaignId,
    campaign_name: campaignName,
    changed: z.array(z.string()).describe('Names of the changed fields'),
    status,
    updated_at: z.string().describe('When the campaign changed'),
  }),
  'campaign.paused': z.object({
    campaign_id: campaignId,
    campaign_name: campaignName,
    reason: z
      .enum(['user', 'budget', 'daily_budget'])
      .describe('Who or what paused it: its owner, the exhausted budget, or the exhausted daily budget'),
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
        impressions: countValue.describe('Charged impressions'),
        clicks: countValue.describe('Clicked impressions'),
        conversions: countValue.describe('Recorded conversions'),
        ctr: z.number().min(0).max(1).describe('Click-through rate: clicks / impressions'),
        average_cpb: usdResponse.describe('Average price per 1,000 impressions, USD'),
      })
      .meta({ id: 'EventPerformance' })
      .describe('Totals of the campaign'),
  }),
  'account.billing': z.object({
    kind: z.literal('daily_statement').describe('The kind of statement'),
    user_id: z.string().describe('The owner of the campaigns'),
    date: z.string().describe('The UTC day'),
    page: z.int().min(1).describe('Page number; a statement of more than 100 campaigns is sent as several events'),
    pages: z.int().min(1).describe("Number of the statement's pages, one event each"),
    currency: z.string().describe('Always USD'),
    spend: usdResponse.describe('Total spend of the day, USD; the same on every page'),
    campaigns: z
      .array(
        z
          .object({
            campaign_id: campaignId,
            campaign_name: campaignName,
            impressions: countValue.describe('Impressions charged on the day'),
            clicks: countValue.describe('Clicks counted on the day'),
            conversions: countValue.describe('Conversions recorded on the day'),
            spend: usdResponse.describe('Spend of the campaign on the day, USD'),
          })
          .meta({ id: 'BilledCampaign' }),
      )
      .describe('Campaigns on this page that spent on the day, including deleted ones'),
  }),
} satisfies { [T in EventType]: z.ZodType<EventData[T]> };

const MEANINGS: Readonly<Record<EventType, string>> = {
  'ad.impression': 'An ad was served and charged',
  'ad.click': 'An ad received its first valid click',
  'ad.conversion': 'A conversion was recorded',
  'campaign.created': 'A campaign was created',
  'campaign.updated': 'The owner changed a campaign',
  'campaign.paused': 'A campaign was paused: by its owner, or because its budget or daily budget is exhausted',
  'campaign.budget_exhausted': 'The total budget of a campaign is exhausted',
  'account.billing': "An owner's spend of one UTC day, sent soon after the day ends",
};

const toClassName = (type: EventType): string =>
  type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The envelope with the data of one type. */
const eventResponse = <T extends EventType>(type: T) =>
  z
    .object({
      id: z.string().describe('Begins with `evt_`; the same for every attempt and every receiver'),
      type: z.literal(type).describe(MEANINGS[type]),
      created: moment.describe('When the event happened'),
      data: eventDataResponses[type].meta({ id: `${toClassName(type)}Data` }).describe('Details of the event'),
      api_version: z.literal('v1').describe('The version of the event format'),
    })
    .meta({ id: `${toClassName(type)}Event` });

interface EventDescription {
  type: EventType;
  meaning: string;
  body: ReturnType<typeof eventResponse>;
}

/** Every event type with its description, in the order of `EVENT_TYPES`. */
export const eventDescriptions: readonly EventDescription[] = EVENT_TYPES.map((type) => ({
  type,
  meaning: MEANINGS[type],
  body: eventResponse(type),
}));
