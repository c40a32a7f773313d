import * as z from 'zod';
import { countValue, moment, usdResponse } from '../values/response-schema.ts';

/** An API key as clients see it (api 2). */
export const apiKeyResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    key: z.string().describe('Whole in the answer of its creation, masked in every other'),
    mode: z.enum(['live', 'test']),
    bidFloor: usdResponse.describe('USD CPM; a bid strictly below it does not take part'),
    judge: z.boolean().describe('Whether its conversations may be shown to a language model for a second opinion'),
    isActive: z.boolean(),
    createdAt: moment,
    lastUsedAt: moment.nullable(),
    requestCount: countValue,
  })
  .meta({ id: 'ApiKey' });
