import * as z from 'zod';
import { outcomes } from '../platform/values/outcomes.ts';
import { countValue, moment, usdResponse } from '../platform/values/response-schema.ts';
import { BID_STRATEGIES, STATUSES } from './campaign-schema.ts';
import { creativeOutput } from './creative.ts';

const performance = z
  .object({
    impressions: countValue.describe('Ads that were delivered and charged'),
    clicks: countValue.describe('Impressions that were clicked by a valid click'),
    conversions: countValue.describe('Conversions that were recorded'),
    ctr: z.number().min(0).max(1).describe('clicks / impressions; 0 without impressions'),
    averageCpb: usdResponse.describe('USD per 1,000 impressions'),
  })
  .meta({ id: 'Performance', description: 'What came of the campaign so far' });

const texts = z.array(z.string());

const campaignSummary = z.object({
  id: z.string().describe('Begins with `cmp_`'),
  name: z.string().describe('Unique among the campaigns of its user, upper and lower case alike; trimmed'),
  description: z.string().describe('For its advertiser; no reader sees it'),
  budget: usdResponse.describe('What it may spend in all, USD; at 0 it does not serve'),
  dailyBudget: usdResponse.describe('What it may spend in a UTC day, USD; follows `budget` until it is set'),
  spentBudget: usdResponse.describe('What it has spent, USD'),
  status: z
    .enum(STATUSES)
    .describe(
      '`draft`, the default, is still being written and never serves; `active` may serve; `paused` rests, see `pausedReason`; ' +
        '`completed` is past its `endDate`; `cancelled` was called off. Any may follow any other',
    ),
  performance,
  createdAt: moment.describe('When it was made'),
  updatedAt: moment.describe('When its configuration or status last changed'),
});

/** Whether a campaign may take part in auctions now, and what speaks against it; read-only. */
export const servingResponse = z
  .object({
    eligible: z.boolean().describe('Whether an auction now would let it take part, as far as the campaign itself goes'),
    reasons: z
      .array(
        z.object({
          code: z.enum(outcomes).describe('As X-Debug says it of a candidate'),
          field: z.string().optional().describe('The field that would have to change'),
          message: z.string().describe('What it is, and what would mend it'),
          blocking: z.boolean().describe('Whether it keeps the campaign from serving; a warning otherwise'),
        }),
      )
      .describe('What speaks against it, the worst first'),
  })
  .meta({
    id: 'Serving',
    description: 'Whether it may take part in auctions now, and what speaks against it; read-only',
  });

/** What a list of campaigns holds (api 3.4). */
export const listedCampaignResponse = campaignSummary
  .extend({ serving: servingResponse.optional() })
  .meta({ id: 'CampaignSummary' });

/** A whole campaign (api 3.1). */
export const campaignResponse = campaignSummary
  .extend({
    pausedReason: z
      .enum(['user', 'budget', 'daily_budget'])
      .nullable()
      .describe(
        'Why it is paused: its user, the spent budget, or the spent budget of the day (until the next UTC day); else null',
      ),
    targetAudience: z
      .object({
        keywords: texts.describe('What people speak of who want it; one of these or an interest is needed to serve'),
        demographics: z
          .object({
            ageRange: z
              .string()
              .nullable()
              .describe('`<min>-<max>`, 0 to 120; kept for the advertiser, no reader is asked for an age'),
            interests: texts.describe('Topics of the IAB Content Taxonomy, or words like keywords'),
          })
          .describe('Whom it is meant for'),
        countries: texts.describe('ISO 3166-1 alpha-2 codes of where it serves; empty is everywhere'),
        languages: texts.describe(
          'ISO 639-1 codes of the conversations it serves in; empty is told from its own texts',
        ),
        excludedKeywords: texts.describe('Words that keep it out of a conversation, whoever says them'),
        categories: texts.describe(
          'Topics of the IAB Content Taxonomy that it belongs to; publishers prefer and exclude by them',
        ),
      })
      .describe('Which conversations it is for'),
    creative: creativeOutput(),
    bidStrategy: z
      .enum(BID_STRATEGIES)
      .describe(
        '`auto`, the default, scales `maxCpb` by relevance and the pace of the day; `manual` always bids `maxCpb`; `maximize_clicks` scales it by ' +
          'the expected click rate; `target_cpa` bids what the expected conversions are worth by `targetCpa`',
      ),
    maxCpb: usdResponse.describe(
      'Maximum cost per bid: the highest CPM (USD per 1,000 impressions) that it bids, whatever its strategy; 1 unless told',
    ),
    targetCpa: usdResponse.nullable().describe('What a conversion is worth, USD; for `target_cpa`'),
    frequencyCap: z
      .object({
        impressions: z.int().min(1).describe('Most impressions'),
        per: z.enum(['conversation', 'day']).describe('In which: a conversation, or a UTC day of it'),
      })
      .nullable()
      .describe('How often it may be shown in one conversation; null sets no bound'),
    startDate: moment.nullable().describe('It does not serve before; a plain date is its first moment in UTC'),
    endDate: moment.nullable().describe('It is completed after; a plain date is its last moment in UTC'),
    serving: servingResponse,
    suggestedPhrases: z
      .array(
        z.object({
          text: z.string().describe('What somebody might say'),
          weight: z.number().min(0).max(1).describe('How likely it is wanted by who says so'),
        }),
      )
      .optional()
      .describe('What people might say who need what it offers; absent where nothing was suggested'),
  })
  .meta({ id: 'Campaign' });
