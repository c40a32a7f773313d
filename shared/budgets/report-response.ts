import * as z from 'zod';
import { countValue, usdResponse } from '../platform/values/response-schema.ts';

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
  })
  .meta({ id: 'ReportDay' });
