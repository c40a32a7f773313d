import * as z from 'zod';
import { outcomes } from '../values/outcomes.ts';
import { countValue, moment, usdResponse } from '../values/response-schema.ts';
import { BID_STRATEGIES, STATUSES } from './schema.ts';

const texts = z.array(z.string());

const performance = z
  .object({
    impressions: countValue,
    clicks: countValue,
    conversions: countValue,
    ctr: z.number().min(0).max(1).describe('clicks / impressions'),
    averageCpb: usdResponse.describe('USD per 1,000 impressions'),
  })
  .meta({ id: 'Performance' });

/** What a list of campaigns holds (api 3.4). */
export const campaignSummaryResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    budget: usdResponse,
    dailyBudget: usdResponse,
    spentBudget: usdResponse,
    status: z.enum(STATUSES),
    performance,
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'CampaignSummary' });

/** Whether a campaign may take part in auctions now, and what speaks against it; read-only. */
export const servingResponse = z
  .object({
    eligible: z.boolean().describe('Whether an auction now would let it take part, as far as the campaign itself goes'),
    reasons: z.array(
      z.object({
        code: z.enum(outcomes).describe('As X-Debug says it of a candidate'),
        field: z.string().optional().describe('The field that would have to change'),
        message: z.string(),
        blocking: z.boolean().describe('Whether it keeps the campaign from serving; a warning otherwise'),
      }),
    ),
  })
  .meta({ id: 'Serving' });

/** A whole campaign (api 3.1). */
export const campaignResponse = campaignSummaryResponse
  .extend({
    pausedReason: z.enum(['user', 'budget', 'daily_budget']).nullable(),
    targetAudience: z.object({
      keywords: texts,
      demographics: z.object({ ageRange: z.string().nullable(), interests: texts }),
      countries: texts,
      languages: texts,
      excludedKeywords: texts,
      categories: texts,
    }),
    creative: z.object({
      headline: z.string(),
      description: z.string(),
      callToAction: z.string(),
      landingUrl: z.string(),
      imageUrl: z.string(),
      videoUrl: z.string(),
      thumbnailUrl: z.string(),
      sponsoredBy: z.string(),
    }),
    bidStrategy: z.enum(BID_STRATEGIES),
    maxCpb: usdResponse.describe('Highest CPM that it may bid, USD'),
    targetCpa: usdResponse.nullable(),
    startDate: moment.nullable(),
    endDate: moment.nullable(),
    serving: servingResponse,
    suggestedPhrases: z
      .array(z.object({ text: z.string(), weight: z.number().min(0).max(1) }))
      .optional()
      .describe('What people might say who need what it offers; absent where nothing was suggested'),
  })
  .meta({ id: 'Campaign' });
