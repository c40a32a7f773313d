import * as z from 'zod';
import { breakdownQuery } from '../budgets/report.ts';
import { COUNTRIES } from '../platform/values/countries.ts';
import { campaignDimensions } from '../platform/values/dimensions.ts';
import { isId } from '../platform/values/ids.ts';
import {
  countryCode,
  languageCode,
  listSchema,
  text,
  unicode,
  usdAmount,
  wholeNumber,
  yesOrNo,
} from '../platform/values/value-schema.ts';
import { BID_STRATEGIES, MAX_CONVERSION_WINDOW_DAYS, STATUSES } from './campaign.ts';
import { frequencyCapSchema, suggestedPhrasesSchema } from './campaign-part-schema.ts';
import { creativeInput } from './creative-schema.ts';

/** Schemas of campaign requests (api 3.1). Absent and null both mean the default. */

const oneOf = <const T extends readonly string[]>(name: string, values: T) =>
  z.enum(values, `${name} must be one of ${values.join(', ')}`);

const TIMESTAMP_LENGTH = '2026-11-20T09:00:00.000Z'.length;

/** A timestamp with a time zone, or a date, which means the given time of day in UTC. */
const dateOrTime = (name: string, timeOfDay: string) => {
  const message = `${name} must be an ISO 8601 date or timestamp such as 2026-11-20 or 2026-11-20T09:00:00Z`;
  return z
    .union(
      [
        z.iso.date(message).transform((date) => `${date}T${timeOfDay}Z`),
        z.iso.datetime({ offset: true, error: message }),
      ],
      message,
    )
    .transform((value) => new Date(value).toISOString())
    .refine((time) => time.length === TIMESTAMP_LENGTH, message); // in UTC, the year may be outside 0 to 9999 and so have more digits
};

const AGES = 'ageRange must be two ages from 0 to 120, the lower one first, such as 18-35';
const ageRange = z
  .string(AGES)
  .regex(/^\d{1,3}-\d{1,3}$/, AGES)
  .refine((range) => {
    const [min = 0, max = 0] = range.split('-').map(Number);
    return min <= max && max <= 120;
  }, AGES);

const demographics = z
  .object(
    { ageRange: ageRange.nullish(), interests: listSchema('interests', 50).nullish() },
    'demographics must be an object',
  )
  .meta({ id: 'DemographicsInput' });

const targetAudience = z
  .object(
    {
      keywords: listSchema('keywords', 200).nullish(),
      demographics: demographics.nullish(),
      countries: z
        .array(countryCode('Each of countries'), 'countries must be a list of ISO 3166-1 codes')
        .max(COUNTRIES.length, `countries must have at most ${COUNTRIES.length} codes`)
        .nullish(),
      languages: z
        .array(languageCode('Each of languages'), 'languages must be a list of ISO 639-1 codes')
        .max(10, 'languages must have at most 10 codes')
        .nullish(),
      excludedKeywords: listSchema('excludedKeywords', 200).nullish(),
      categories: listSchema('categories', 50).nullish(),
    },
    'targetAudience must be an object',
  )
  .meta({ id: 'TargetAudienceInput' });

const name = unicode({
  error: ({ input }) => (input == null ? 'Campaign name is required' : 'Campaign name must be text'),
})
  .trim()
  .min(1, 'Campaign name is required')
  .max(200, 'Campaign name must have at most 200 characters');

const PUBLISHERS =
  "excludedPublishers must be a list of at most 100 publishers, each by the value in the campaign's report, such as pub_7F3KQ2M9XW4A";
const publisher = z.string(PUBLISHERS).refine((id) => isId('publisher', id), PUBLISHERS);
const publishers = z
  .array(publisher, PUBLISHERS)
  .max(100, PUBLISHERS)
  .transform((ids) => [...new Set(ids)]);
const WINDOW = `conversionWindowDays must be a whole number from 1 to ${MAX_CONVERSION_WINDOW_DAYS}`;

const BUDGET = { max: 1_000_000_000, decimals: 6 };

const optional = {
  description: text('description', 2_000).nullish(),
  budget: usdAmount({ name: 'budget', ...BUDGET }).nullish(),
  dailyBudget: usdAmount({ name: 'dailyBudget', ...BUDGET }).nullish(),
  targetAudience: targetAudience.nullish(),
  creative: creativeInput().nullish(),
  bidStrategy: oneOf('bidStrategy', BID_STRATEGIES).nullish(),
  maxCpb: usdAmount({ name: 'maxCpb', max: 1_000, decimals: 3 }).nullish(),
  targetCpa: usdAmount({ name: 'targetCpa', ...BUDGET }).nullish(),
  frequencyCap: frequencyCapSchema().nullish(),
  excludedPublishers: publishers.nullish(),
  conversionWindowDays: z.int(WINDOW).min(1, WINDOW).max(MAX_CONVERSION_WINDOW_DAYS, WINDOW).nullish(),
  status: oneOf('status', STATUSES).nullish(),
  startDate: dateOrTime('startDate', '00:00:00.000').nullish(),
  endDate: dateOrTime('endDate', '23:59:59.999').nullish(),
};

/** `name` is first, because the error names the first invalid field (api 1.2). */
export const createCampaign = z.object({ name, ...optional });
export const updateCampaign = z.object({
  name: name.optional(),
  ...optional,
  suggestedPhrases: suggestedPhrasesSchema().nullish(),
  expectedBudget: usdAmount({ name: 'expectedBudget', ...BUDGET })
    .nullish()
    .describe('Budget that the client read. If `budget` has changed since, the update fails with 409'),
  /** Read-only. A client that sends a whole campaign back includes it, which shows that `status` was not changed on purpose. */
  pausedReason: z.unknown().optional().describe('Read-only. Accepted so that a whole campaign can be sent back'),
});

/** The query of a list (api 3.4). */
export const listCampaigns = z.object({
  status: oneOf('status', STATUSES).optional().describe('Only campaigns with this status'),
  limit: wholeNumber('limit', 1, 1_000).default(20).describe('Maximum number of campaigns; default 20'),
  offset: wholeNumber('offset', 0).default(0).describe('Number of campaigns to skip; default 0'),
  serving: yesOrNo('serving').optional().describe('`true`: include whether each campaign can serve, and if not, why'),
});

/** The query of a campaign's report. */
export const campaignReportQuery = breakdownQuery(campaignDimensions);

/** The body of a create or update request after validation. */
export type CampaignInput = z.output<typeof updateCampaign>;
