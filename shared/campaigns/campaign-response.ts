import * as z from 'zod';
import { getSpendOn } from '../budgets/balance.ts';
import { type DayCounts, sumCounts, toSuspectClicks } from '../budgets/day-counts.ts';
import type { Performance } from '../budgets/ledger.ts';
import { isoTime, utcDay } from '../platform/clock.ts';
import type { Phrase } from '../platform/judge.ts';
import { type Micros, micros, toUsd } from '../platform/values/money.ts';
import { outcomes } from '../platform/values/outcomes.ts';
import {
  countValue,
  moment,
  suspectClicksResponse,
  usdResponse,
  viewableImpressionsResponse,
} from '../platform/values/response-schema.ts';
import { toBiddable } from './biddable.ts';
import {
  BID_STRATEGIES,
  type Campaign,
  DEFAULTS,
  EMPTY_TARGET_AUDIENCE,
  getDailyBudget,
  MAX_CONVERSION_WINDOW_DAYS,
  STATUSES,
} from './campaign.ts';
import { frequencyCapSchema, suggestedPhrasesSchema } from './campaign-part-schema.ts';
import { EMPTY_CREATIVE } from './creative.ts';
import { creativeOutput } from './creative-schema.ts';
import { findServingReasons, findServingWarnings } from './eligibility.ts';
import { type SpendStats, toSpendStats } from './spend-stats.ts';

/** Pure calls create the schemas, so bundles that only present campaigns drop the schemas and zod. */

/** Schema of the figures of a campaign. */
export const performanceResponse = /* @__PURE__ */ createPerformanceResponse();
const campaignSummary = /* @__PURE__ */ createCampaignSummary();
/** Schema of the figures of all campaigns of a user in a period. */
export const accountFigures = /* @__PURE__ */ createAccountFigures();
/** Schema of `serving`. */
export const servingResponse = /* @__PURE__ */ createServingResponse();
/** Schema of a campaign in a list (api 3.4). */
export const listedCampaignResponse = /* @__PURE__ */ createListedCampaignResponse();
/** Schema of a campaign (api 3.1). */
export const campaignResponse = /* @__PURE__ */ createCampaignResponse();

function createPerformanceResponse() {
  return z
    .object({
      impressions: countValue.describe('Ads that were retrieved and charged'),
      clicks: countValue.describe('Impressions with a valid click'),
      conversions: countValue.describe('Conversions recorded within the conversion window'),
      ctr: z.number().min(0).max(1).describe('Click-through rate: clicks / impressions. 0 without impressions'),
      averageCpb: usdResponse.describe('Average cost of 1,000 impressions in USD. 0 without impressions'),
      conversionValue: usdResponse.describe(
        'Value of the conversions in USD, at most 1,000,000 of each. Values in other currencies are not included',
      ),
      costPerConversion: usdResponse
        .nullable()
        .describe('Cost per conversion in USD: spend / conversions. null without conversions'),
      returnOnSpend: z
        .number()
        .min(0)
        .nullable()
        .describe('Return on spend: conversionValue / spend. null without spend'),
      notRelevant: countValue.describe('Impressions that their readers reported as not relevant'),
      viewableImpressions: viewableImpressionsResponse,
      suspectClicks: suspectClicksResponse,
    })
    .meta({ id: 'CampaignPerformance', description: 'Performance of the campaign since it was created' });
}

function createAccountFigures() {
  return performanceResponse
    .extend({ spend: usdResponse.describe('Amount spent in USD') })
    .meta({ id: 'AccountFigures', description: 'Figures of all campaigns together' });
}

function createCampaignSummary() {
  return z.object({
    id: z.string().describe('ID of the campaign. Begins with `cmp_`'),
    name: z
      .string()
      .describe("Name, without spaces around it. Unique among the user's campaigns; upper and lower case are the same"),
    description: z.string().describe("The advertiser's own notes. Never shown in ads"),
    budget: usdResponse.describe('Total budget in USD. A campaign with a budget of 0 does not serve'),
    dailyBudget: usdResponse.describe('Budget for each UTC day in USD. Equals `budget` until it is set'),
    spentBudget: usdResponse.describe('Amount spent so far in USD'),
    spentToday: usdResponse.describe('Amount of `spentBudget` spent on the current UTC day'),
    status: z
      .enum(STATUSES)
      .describe(
        '`draft` (default): not finished, never serves. `active`: may serve. `paused`: does not serve; see `pausedReason`. ' +
          '`completed`: `endDate` has passed. `cancelled`: stopped by the user. Every change of status is allowed',
      ),
    performance: performanceResponse,
    createdAt: moment.describe('Time of creation'),
    updatedAt: moment.describe('Time of the last change of the configuration or status'),
  });
}

function createServingResponse() {
  return z
    .object({
      eligible: z
        .boolean()
        .describe('Whether the campaign can take part in auctions now. The conversation may still exclude it'),
      reasons: z
        .array(
          z
            .object({
              code: z.enum(outcomes).describe('Reason code, the same as for a candidate with `X-Debug`'),
              field: z.string().optional().describe('Field to change'),
              message: z.string().describe('What is wrong, and how to fix it'),
              blocking: z.boolean().describe('true: the campaign does not serve. false: a warning'),
            })
            .meta({ id: 'ServingReason' }),
        )
        .describe('Reasons why the campaign does not serve, then warnings. The most important reason is first'),
    })
    .meta({ id: 'Serving', description: 'Whether the campaign can serve now, and if not, why. Read-only' });
}

function createListedCampaignResponse() {
  return campaignSummary.extend({ serving: servingResponse.optional() }).meta({ id: 'CampaignSummary' });
}

function createCampaignResponse() {
  const texts = z.array(z.string());
  return campaignSummary
    .extend({
      pausedReason: z
        .enum(['user', 'budget', 'daily_budget'])
        .nullable()
        .describe(
          'Why the campaign is paused. `user`: the user paused it. `budget`: the total budget is spent. `daily_budget`: the ' +
            'budget of the day is spent, and the campaign resumes on the next UTC day. null if it is not paused',
        ),
      targetAudience: z
        .object({
          keywords: texts.describe(
            'Words and phrases that interested people use. At least one keyword or interest is required to serve',
          ),
          demographics: z
            .object({
              ageRange: z
                .string()
                .nullable()
                .describe(
                  '`<min>-<max>`, from 0 to 120. Stored for the advertiser. Does not affect who sees the ad. null: not set',
                ),
              interests: texts.describe('Names from the IAB Content Taxonomy, or any words, which match like keywords'),
            })
            .meta({ id: 'Demographics' })
            .describe('Intended audience'),
          countries: texts.describe('Countries to serve in, ISO 3166-1 alpha-2. Empty: all countries'),
          languages: texts.describe(
            "Languages of conversations to serve in, ISO 639-1. Empty: detected from the campaign's texts",
          ),
          excludedKeywords: texts.describe(
            'Words and phrases that exclude the campaign from a conversation, whether the user or the assistant writes them',
          ),
          categories: texts.describe(
            'Categories of the campaign in the IAB Content Taxonomy. Publishers can prefer or block them',
          ),
        })
        .meta({ id: 'TargetAudience' })
        .describe('Conversations to match'),
      creative: creativeOutput(),
      bidStrategy: z
        .enum(BID_STRATEGIES)
        .describe(
          '`auto` (default): scales `maxCpb` by relevance and budget pacing. `manual`: always bids `maxCpb`. `maximize_clicks`: ' +
            'scales `maxCpb` by the expected click-through rate. `target_cpa`: bids what the expected conversions are worth at `targetCpa`',
        ),
      maxCpb: usdResponse.describe(
        'Maximum bid, as CPM in USD (cost of 1,000 impressions). No strategy bids more. Default 1',
      ),
      targetCpa: usdResponse.nullable().describe('Value of a conversion in USD, for `target_cpa`. null: not set'),
      frequencyCap: frequencyCapSchema()
        .nullable()
        .describe('Limit on impressions in one conversation. null: no limit'),
      excludedPublishers: texts.describe(
        'Publishers that never show this campaign, each by its `value` in the report by publisher',
      ),
      conversionWindowDays: z
        .int()
        .min(1)
        .max(MAX_CONVERSION_WINDOW_DAYS)
        .describe('How many days after its click a conversion counts. Default 30'),
      startDate: moment
        .nullable()
        .describe(
          'The campaign does not serve before this time. A date without a time means its first moment in UTC. null: none',
        ),
      endDate: moment
        .nullable()
        .describe(
          'The campaign is completed after this time. A date without a time means its last moment in UTC. null: never',
        ),
      serving: servingResponse,
      conversionStatus: z
        .object({
          lastConversionAt: moment
            .nullable()
            .describe('Time of the last conversion that counts. null if there was none'),
          lastTestAt: moment.nullable().describe('Time of the last test conversion. null if there was none'),
        })
        .meta({ id: 'ConversionStatus' })
        .describe('Whether conversions arrive. Read-only'),
      suggestedPhrases: suggestedPhrasesSchema()
        .optional()
        .describe('Phrases of people who need what the ad offers. Absent if there are no suggestions'),
    })
    .meta({ id: 'Campaign' });
}

const usdOrNull = (amount: Micros | null) => (amount === null ? null : toUsd(amount));

const timeOrNull = (ms: number | undefined) => (ms === undefined ? null : isoTime(ms));

/** Presents the performance of a campaign (api 3.4). */
export const presentPerformance = ({
  impressions,
  clicks,
  conversions,
  conversionValue,
  notRelevant,
  viewableImpressions,
  tooFastClicks,
  tooManyClicks,
  spent,
}: Omit<DayCounts, 'spend'> & Pick<Performance, 'spent'>) => ({
  impressions,
  clicks,
  conversions,
  ctr: impressions === 0 ? 0 : Math.min(1, clicks / impressions),
  averageCpb: impressions === 0 ? 0 : spent / 1000 / impressions, // micro-dollars x 1,000 impressions / 1,000,000
  conversionValue: toUsd(conversionValue),
  costPerConversion: conversions === 0 ? null : spent / 1_000_000 / conversions,
  returnOnSpend: spent === 0 ? null : conversionValue / spent,
  notRelevant,
  viewableImpressions,
  suspectClicks: toSuspectClicks({ tooFastClicks, tooManyClicks }),
});

/** Presents the sums of days, of one campaign or several. */
export function presentSums(days: readonly DayCounts[]) {
  const { spend, ...counts } = sumCounts(days);
  return { spend: toUsd(spend), ...presentPerformance({ ...counts, spent: spend }) };
}

/** Presents a campaign in a list (api 3.4), with `serving` if the request asks for it. */
export const presentListed = (
  campaign: Campaign,
  performance: Performance,
  now: number,
  hasServing: boolean,
): z.output<typeof listedCampaignResponse> => ({
  ...presentSummary(campaign, performance, now),
  ...(hasServing && { serving: presentServing(campaign, toSpendStats(performance), now) }),
});

const presentSummary = (
  campaign: Campaign,
  performance: Performance,
  now: number,
): Omit<z.output<typeof listedCampaignResponse>, 'serving'> => ({
  id: campaign.id,
  name: campaign.name,
  description: campaign.description,
  budget: toUsd(campaign.budget),
  dailyBudget: toUsd(getDailyBudget(campaign)),
  spentBudget: toUsd(performance.spent),
  spentToday: toUsd(getSpendOn(performance, utcDay(now)) ?? micros(0)),
  status: campaign.status,
  performance: presentPerformance(performance),
  createdAt: campaign.createdAt,
  updatedAt: campaign.updatedAt,
});

/** Presents a campaign (api 3.1). The order of the fields never changes. */
export const presentCampaign = (
  campaign: Campaign,
  performance: Performance,
  now: number,
  phrases: readonly Phrase[] = [],
): z.output<typeof campaignResponse> => ({
  ...presentSummary(campaign, performance, now),
  pausedReason: campaign.pausedReason,
  // DynamoDB does not keep the order of fields.
  targetAudience: {
    ...EMPTY_TARGET_AUDIENCE,
    ...campaign.targetAudience,
    demographics: { ...EMPTY_TARGET_AUDIENCE.demographics, ...campaign.targetAudience.demographics },
  },
  creative: { ...EMPTY_CREATIVE, ...campaign.creative },
  bidStrategy: campaign.bidStrategy,
  maxCpb: toUsd(campaign.maxCpb),
  targetCpa: usdOrNull(campaign.targetCpa),
  frequencyCap: campaign.frequencyCap ?? null,
  excludedPublishers: campaign.excludedPublishers ?? [],
  conversionWindowDays: campaign.conversionWindowDays ?? DEFAULTS.conversionWindowDays,
  startDate: campaign.startDate,
  endDate: campaign.endDate,
  serving: presentServing(campaign, toSpendStats(performance), now),
  conversionStatus: {
    lastConversionAt: timeOrNull(performance.lastConversionAt),
    lastTestAt: timeOrNull(performance.lastTestConversionAt),
  },
  ...(phrases.length > 0 && { suggestedPhrases: phrases.map(({ text, weight }) => ({ text, weight })) }),
});

/** Presents whether a campaign can take part in auctions now, by the auction's own rules, and warns about likely mistakes. */
export function presentServing(campaign: Campaign, stats: SpendStats, now: number): z.output<typeof servingResponse> {
  const biddable = toBiddable(campaign);
  const blocking = findServingReasons(biddable, stats, now);
  return {
    eligible: blocking.length === 0,
    reasons: [
      ...blocking.map((reason) => ({ ...reason, blocking: true })),
      ...findServingWarnings(biddable, stats).map((reason) => ({ ...reason, blocking: false })),
    ],
  };
}
