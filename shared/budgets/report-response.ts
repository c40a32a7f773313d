import * as z from 'zod';
import { campaignDimensions } from '../platform/values/dimensions.ts';
import {
  countValue,
  suspectClicksResponse,
  usdResponse,
  viewableImpressionsResponse,
} from '../platform/values/response-schema.ts';

/** One UTC day of a campaign. */
export const reportDayResponse = z
  .object({
    date: z.iso.date().describe('The UTC day'),
    impressions: countValue.describe('Impressions charged on that day'),
    clicks: countValue.describe('Valid first clicks on that day'),
    conversions: countValue.describe('Conversions recorded on that day'),
    spend: usdResponse.describe('Amount spent on that day, USD'),
    conversionValue: usdResponse.describe(
      'Value of those conversions, USD. Values in other currencies are not included',
    ),
    notRelevant: countValue.describe('Impressions of that day that their readers reported as not relevant'),
    viewableImpressions: viewableImpressionsResponse,
    suspectClicks: suspectClicksResponse,
  })
  .meta({ id: 'ReportDay' });

/** One UTC day and value of a campaign's report by a dimension. */
export const campaignBreakdownResponse = z
  .object({
    date: z.iso.date().describe('The UTC day'),
    by: z.enum(campaignDimensions).describe('What the report is broken down by'),
    value: z
      .string()
      .describe(
        'The country, topic, creative version, or variant, or the ID of the publisher, which is different for each advertiser. `none`: the bids had none, or their readers opted out. ' +
          '`other`: the values after the 50 with the most impressions. `unattributed`: counted before breakdowns existed, or not broken down yet',
      ),
    label: z
      .string()
      .describe(
        'The value as people read it: the name of a publisher, with the end of its `value` if others have the same name, or the headline of a creative',
      ),
    impressions: countValue.describe('Impressions charged on that day'),
    clicks: countValue.describe('Valid first clicks on that day'),
    conversions: countValue.describe('Conversions recorded on that day'),
    spend: usdResponse.describe('Amount spent on that day, USD'),
    conversionValue: usdResponse.describe('Value of the conversions recorded on that day, USD'),
  })
  .meta({ id: 'CampaignBreakdownRow' });
