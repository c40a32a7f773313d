import * as z from 'zod';
import { moment } from '../../platform/values/response-schema.ts';

const conversionType = z.string().describe('Type of the conversion, such as `purchase`');
const value = z.number().min(0).describe('Value of the conversion. Default: 0');
const currency = z.string().describe('ISO 4217 code of the currency. Default: USD');

/** A conversion in responses to the owner of its campaign (api 7). */
export const conversionResponse = z
  .object({
    conversionId: z
      .string()
      .describe("The caller's id, such as an order number, or a generated one. Repeated ids count once"),
    clickId: z.string().describe('The `click_id` from the URL of the landing page'),
    campaignId: z.string().describe('The campaign whose ad was clicked'),
    conversionType,
    value,
    currency,
    counted: z
      .boolean()
      .describe(
        'Whether the conversion counts in the report. false: it came after the `conversionWindowDays` of its campaign, or the ad was in test mode',
      ),
    createdAt: moment.describe('Time when the conversion was recorded'),
  })
  .meta({ id: 'Conversion' });

/** A test conversion in responses (api 7). */
export const testConversionResponse = z
  .object({
    campaignId: z.string().describe('The campaign whose conversions are tested'),
    conversionType,
    value,
    currency,
    counted: z.literal(false).describe('Always false: a test counts nowhere, and sends no event'),
    createdAt: moment.describe('Time when the test was received'),
  })
  .meta({ id: 'TestConversion' });
