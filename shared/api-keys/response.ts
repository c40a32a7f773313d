import * as z from 'zod';
import { countValue, moment, usdResponse } from '../values/response-schema.ts';
import { settingAnswers } from './setting-fields.ts';

/** An API key as clients see it (api 2). */
export const apiKeyResponse = z
  .object({
    id: z.string().describe('Begins with `key_`'),
    name: z.string().describe('What the publisher calls it, 1 to 200 characters'),
    key: z.string().describe('Whole in the answer of its creation, masked in every other'),
    mode: z
      .enum(['live', 'test'])
      .describe('Bids, ads and clicks of a test key work alike; they spend nothing, count nothing and send nothing'),
    bidFloor: usdResponse.describe('USD CPM; a bid strictly below it does not take part'),
    judge: z.boolean().describe('Whether its conversations may be shown to a language model for a second opinion'),
    ...settingAnswers,
    isActive: z.boolean().describe('False while it is switched off: every use is a 401 then'),
    createdAt: moment.describe('When it was made'),
    lastUsedAt: moment.nullable().describe('The last request that it authenticated; null before the first'),
    requestCount: countValue.describe('Requests that it authenticated, those refused for their rate aside'),
    oldKeyUntil: moment
      .nullable()
      .describe(
        'Until when the secret before the last rotation is accepted, or was; null where it was revoked, or there was none',
      ),
  })
  .meta({ id: 'ApiKey' });
