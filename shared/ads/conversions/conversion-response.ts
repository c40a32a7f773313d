import * as z from 'zod';
import { moment } from '../../platform/values/response-schema.ts';

/** A conversion as its owner sees it (api 7). */
export const conversionResponse = z
  .object({
    conversionId: z
      .string()
      .describe("The caller's own id, such as an order number, or one that was made; a repeat counts once"),
    clickId: z.string().describe('The `click_id` that the landing page was opened with'),
    campaignId: z.string().describe('The campaign whose ad was clicked'),
    conversionType: z.string().describe('What came of the click, such as `purchase`'),
    value: z.number().min(0).describe('What it is worth; 0 unless told'),
    currency: z.string().describe('ISO 4217 code of the value; USD unless told'),
    createdAt: moment.describe('When it was recorded'),
  })
  .meta({ id: 'Conversion' });
