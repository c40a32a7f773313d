import * as z from 'zod';
import { moment } from '../values/response-schema.ts';

/** A conversion as its owner sees it (api 7). */
export const conversionResponse = z
  .object({
    conversionId: z.string(),
    clickId: z.string(),
    campaignId: z.string(),
    conversionType: z.string(),
    value: z.number().min(0),
    currency: z.string(),
    createdAt: moment,
  })
  .meta({ id: 'Conversion' });
