import * as z from 'zod';
import { countValue, usdResponse } from '../platform/values/response-schema.ts';

const day = {
  date: z.iso.date().describe('The UTC day'),
  preliminary: z
    .boolean()
    .describe(
      'Whether the figures may still change: a current day, or for `spend` one whose statement is not issued yet',
    ),
};
const month = {
  month: z.string().describe('The UTC month'),
  currency: z.literal('USD').describe('Always USD'),
};
const next = z
  .string()
  .nullable()
  .describe('If there is more, request it with `after`. Days then continue where this response ends. null at the end');

const spendStatement = z
  .object({
    kind: z.literal('spend').describe('The kind of statement'),
    ...month,
    spend: usdResponse.describe('Spend of the whole month, USD'),
    days: z
      .array(
        z
          .object({
            ...day,
            spend: usdResponse.describe('Spend of the whole day, USD, as in `account.billing`'),
            campaigns: z
              .array(
                z
                  .object({
                    campaignId: z.string().describe('ID of the campaign'),
                    campaignName: z.string().describe('Name on that day'),
                    impressions: countValue.describe('Impressions charged on that day'),
                    clicks: countValue.describe('Valid first clicks on that day'),
                    conversions: countValue.describe('Conversions recorded on that day'),
                    spend: usdResponse.describe('Spend of the campaign, USD'),
                  })
                  .meta({ id: 'CampaignSpend' }),
              )
              .describe('Campaigns that spent, including deleted ones'),
          })
          .meta({ id: 'SpendDay' }),
      )
      .describe('The days of the month up to today'),
    next,
  })
  .meta({ id: 'SpendStatement' });

const earningsStatement = z
  .object({
    kind: z.literal('earnings').describe('The kind of statement'),
    ...month,
    earnings: usdResponse.describe('Earnings of the whole month, USD'),
    days: z
      .array(
        z
          .object({
            ...day,
            earnings: usdResponse.describe('Earnings of the whole day, USD'),
            keys: z
              .array(
                z
                  .object({
                    keyId: z.string().describe('ID of the API key'),
                    keyName: z.string().describe('Name of the API key'),
                    impressions: countValue.describe('Charged impressions'),
                    clicks: countValue.describe('Valid first clicks'),
                    earnings: usdResponse.describe('Earnings of the key, USD, as in its report'),
                  })
                  .meta({ id: 'KeyEarnings' }),
              )
              .describe('Keys with impressions or clicks, including deleted ones'),
          })
          .meta({ id: 'EarningsDay' }),
      )
      .describe('The days of the month up to today'),
    next,
  })
  .meta({ id: 'EarningsStatement' });

/** A monthly statement (api 3.5). */
export const statementResponse = z.discriminatedUnion('kind', [spendStatement, earningsStatement]);
