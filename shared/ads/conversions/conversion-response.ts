import * as z from 'zod';
import { moment } from '../../platform/values/response-schema.ts';

/** A conversion in responses to the owner of its campaign (api 7). */
export const conversionResponse = z
  .object({
    conversionId: z
      .string()
      .describe("The caller's id, such as an order number, or a generated one. Repeated ids count once"),
    clickId: z.string().describe('The `click_id` from the URL of the landing page'),
    campaignId: z.string().describe('The campaign whose ad was clicked'),
    conversionType: z.string().describe('Type of the conversion, such as `purchase`'),
    value: z.number().min(0).describe('Value of the conversion. Default: 0'),
    currency: z.string().describe('ISO 4217 code of the currency. Default: USD'),
    counted: z
      .boolean()
      .describe(
        'Whether the conversion counts in the report. false: it came after the `conversionWindowDays` of its campaign, or the ad was in test mode',
      ),
    createdAt: moment.describe('Time when the conversion was recorded'),
  })
  .meta({ id: 'Conversion' });
