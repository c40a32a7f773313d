import * as z from 'zod';
import { servingResponse } from '../../campaigns/campaign-response.ts';
import { AD_STRICTNESS } from '../../platform/values/ad-strictness.ts';
import { outcomes } from '../../platform/values/outcomes.ts';
import { countValue } from '../../platform/values/response-schema.ts';
import { auctionResponse, candidateResponse } from '../auction/auction-response.ts';

const { campaignId, name, relevance, matched, price } = candidateResponse.shape;
const outcome = z
  .enum(outcomes)
  .describe(
    '`won`, or why the campaign would not win, with the same codes as X-Debug. Always `outranked` if a campaign of another owner ranks higher',
  );
const means = z.string().describe('Explanation of the outcome');
const ownBid = price.nullable().describe('USD CPM that the campaign would bid; null if it would not get to bid');

/** How a campaign would do in a conversation, and how much of a sample it reaches (api 3.6). */
export const previewResponse = z
  .object({
    match: z
      .object({
        outcome,
        means,
        fits: z.boolean().describe('Whether the campaign would bid, regardless of other campaigns'),
        levels: z
          .array(
            z
              .object({
                adStrictness: z.enum(AD_STRICTNESS).describe('Strictness of a key'),
                threshold: z.number().min(0).max(1).describe('Minimum relevance of a bid at this strictness'),
                fits: z.boolean().describe('Whether the campaign would bid at this strictness'),
              })
              .meta({ id: 'PreviewLevel' }),
          )
          .describe('The levels of `adStrictness`, strictest first. The other fields describe a balanced key'),
        relevance,
        matched,
        price: ownBid,
        others: z
          .object({ better: countValue.describe('Number of other campaigns that rank higher, at most 20') })
          .meta({ id: 'PreviewOthers' })
          .nullable()
          .describe('Null if the campaign would not bid, or if other campaigns are not available right now'),
        own: z
          .array(
            z
              .object({ campaignId, name, relevance, matched, price: ownBid, outcome, means })
              .meta({ id: 'PreviewCandidate' }),
          )
          .describe(
            'Other campaigns of the same owner that were considered, in their current state, best first, at most 20',
          ),
        context: auctionResponse.shape.context,
      })
      .meta({ id: 'PreviewMatch' })
      .nullable()
      .describe('Null without messages. Assumes that the campaign can serve; see `serving` for what prevents it'),
    serving: servingResponse,
    reach: z
      .object({
        conversations: countValue.describe('Number of conversations in the sample'),
        campaign: countValue.describe('Number of conversations that the campaign matches'),
        keywords: z
          .array(
            z
              .object({
                keyword: z.string().describe('Keyword as it was sent'),
                conversations: countValue.describe('Number of conversations that this keyword alone reaches'),
                add: z
                  .array(z.string())
                  .describe('Related keywords that would reach conversations the campaign misses'),
                hint: z
                  .string()
                  .nullable()
                  .describe(
                    'What to do about a keyword that misses conversations or has no known topic; null otherwise',
                  ),
              })
              .meta({ id: 'KeywordReach' }),
          )
          .describe('Keywords in the order of the campaign'),
        suggestions: z
          .array(
            z
              .object({
                keyword: z.string().describe('Keyword that the campaign does not have'),
                conversations: countValue.describe('Number of conversations that this keyword alone reaches'),
              })
              .meta({ id: 'KeywordSuggestion' }),
          )
          .describe(
            "At most ten keywords close to the campaign's texts, most useful first. Empty unless the campaign is in English",
          ),
      })
      .meta({ id: 'CampaignReach' })
      .describe('Reach within a built-in sample of conversations about all topics'),
  })
  .meta({ id: 'CampaignPreview' });
