import * as z from 'zod';
import { breakdownQuery } from '../budgets/report.ts';
import { isBlank } from '../platform/values/characters.ts';
import { keyDimensions } from '../platform/values/dimensions.ts';
import { unicode, usdAmount, wholeNumber } from '../platform/values/value-schema.ts';
import { settingInputs } from './setting-fields.ts';

const name = unicode({
  error: ({ input }) => (input == null ? 'API key name is required' : 'API key name must be text'),
})
  .trim()
  .min(1, 'API key name is required')
  .refine((value) => !isBlank(value), 'API key name is required')
  .max(200, 'API key name must have at most 200 characters');
const bidFloor = usdAmount({ name: 'bidFloor', max: 1_000, decimals: 3 });
const judge = z.boolean('judge must be true or false');

/** The query of the list of keys (api 2). */
export const listKeys = z.object({
  days: wholeNumber('days', 1, 31).optional().describe('Adds `figures` of the last `days` UTC days, including today'),
});

/** The query of a key's report (api 2.1). */
export const keyReportQuery = breakdownQuery(keyDimensions);

export const createApiKey = z.object({
  name,
  mode: z.enum(['live', 'test'], 'mode must be live or test').default('live'),
  bidFloor: bidFloor.default(0),
  judge: judge.default(true),
  ...settingInputs,
});

const IGNORED = 'Accepted but ignored; if it differs from the value of the key, `x-ignored-fields` lists it';

export const updateApiKey = z.object({
  name: name.optional(),
  bidFloor: bidFloor.nullish(),
  judge: judge.nullish(),
  ...settingInputs,
  // Accepted, because clients send whole objects back.
  mode: z.unknown().optional().describe(`Set when the key is created. ${IGNORED}`),
  isActive: z.unknown().optional().describe(`Changed by the toggle endpoint. ${IGNORED}`),
});

export const rotateKey = z.object({
  revokeOld: z
    .boolean('revokeOld must be true or false')
    .default(false)
    .describe('If true, earlier secrets stop working immediately instead of 24 hours after their replacement'),
});
