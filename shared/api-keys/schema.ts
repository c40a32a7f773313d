import * as z from 'zod';
import { unicode, usdAmount } from '../values/schema.ts';

export const createApiKey = z.object({
  name: unicode({ error: ({ input }) => (input == null ? 'API key name is required' : 'API key name must be a text') })
    .trim()
    .min(1, 'API key name is required')
    .max(200, 'API key name must have at most 200 characters'),
  mode: z.enum(['live', 'test'], 'mode must be live or test').default('live'),
  bidFloor: usdAmount({ name: 'bidFloor', most: 1_000, decimals: 3 }).default(0),
  judge: z.boolean('judge must be true or false').default(true),
});
