import * as z from 'zod';
import { BID_STRATEGIES } from '../../campaigns/campaign.ts';
import { NO_ANSWER } from '../../platform/judge.ts';
import { AD_STRICTNESS } from '../../platform/values/ad-strictness.ts';
import { noBidReasons, OUTCOMES, type Outcome, outcomes } from '../../platform/values/outcomes.ts';
import { usdResponse } from '../../platform/values/response-schema.ts';

const describeOutcomes = (codes: readonly Outcome[]): string =>
  codes.map((code) => `\`${code}\`: ${OUTCOMES[code].means}`).join(' ');

export const candidateResponse = z
  .object({
    campaignId: z.string().describe('The campaign'),
    name: z.string().describe('Name of the campaign'),
    relevance: z.number().min(0).max(1).describe('Estimated probability that the ad is relevant here'),
    matched: z
      .array(
        z
          .object({
            term: z
              .string()
              .describe("The advertiser's keyword, or the lexicon's phrase or topic. Never conversation text"),
            kind: z
              .enum(['keyword', 'phrase', 'topic', 'meaning'])
              .describe(
                "`keyword`: a keyword of the campaign; `phrase`: a phrase that the lexicon links to the campaign's topics; `topic`: a topic that the publisher declared for the page; `meaning`: the topic nearest to the campaign, which resembles the conversation without common words",
              ),
            message: z.int().describe('Index in `messages`'),
            positions: z
              .array(
                z
                  .object({
                    start: z.int().min(0).describe('Index of the first UTF-16 code unit'),
                    end: z.int().min(1).describe('Index after the last UTF-16 code unit'),
                  })
                  .meta({ id: 'TextRange' }),
              )
              .describe('Positions of the words in the content of the message. Never stored'),
          })
          .meta({ id: 'MatchedTerm' }),
      )
      .describe('Terms that matched (at most 5) and their positions in the conversation'),
    price: z
      .object({
        bid: usdResponse.describe('Bid, or what the campaign would have bid'),
        strategy: z.enum(BID_STRATEGIES).optional().describe('Bid strategy of the campaign'),
        maxCpb: usdResponse.optional().describe('Maximum bid'),
        pace: z.number().min(0).max(1).optional().describe('Share of its opportunities that the campaign bids on'),
        clickRate: z
          .number()
          .min(0)
          .max(1)
          .optional()
          .describe('Estimated probability that an impression gets a click'),
        conversionRate: z.number().min(0).max(1).optional().describe('Estimated probability that a click converts'),
        targetCpa: usdResponse.optional().describe('Target cost per conversion'),
        value: usdResponse.optional().describe('bid × relevance. Candidates are ranked by it'),
      })
      .meta({ id: 'CandidatePrice' })
      .describe("Price in USD CPM. The details are included only for the key owner's own campaigns"),
    outcome: z.enum(outcomes).describe(describeOutcomes(outcomes)),
    field: z
      .string()
      .optional()
      .describe("Field that prevents the campaign from serving. Only for the key owner's own campaigns"),
  })
  .meta({ id: 'Candidate' });

/** The debug information that X-Debug adds to a bid. Its format may change without notice. */
export const auctionResponse = z
  .object({
    requestId: z.string().describe('Same as in `x-request-id`'),
    campaignId: z.string().nullable().describe('Campaign that won; null without a winner'),
    candidates: z.array(candidateResponse).describe('Campaigns that were considered, best first, at most 20'),
    reason: z
      .enum(noBidReasons)
      .nullable()
      .describe(`Why there is no bid; null if there is one. ${describeOutcomes(noBidReasons)}`),
    adStrictness: z.enum(AD_STRICTNESS).optional().describe('Strictness of the key; absent if no auction was held'),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Minimum relevance of a bid at this strictness, or minimum probability of the judge if it answered'),
    judge: z
      .object({
        result: z.enum(['answered', ...NO_ANSWER]).describe('`answered`, or why there is no answer'),
        safe: z
          .boolean()
          .nullable()
          .describe('Whether the judge considers the conversation safe for ads; null without an answer'),
      })
      .meta({ id: 'JudgeResult' })
      .optional()
      .describe('Result of the second opinion; absent if none was requested'),
    context: z
      .object({
        topics: z
          .array(
            z
              .object({
                path: z.string().describe('Topic of the IAB Content Taxonomy, with its parent topics'),
                evidence: z.number().describe('Strength of the topic: 1 is one clear word in the newest message'),
              })
              .meta({ id: 'ConversationTopic' }),
          )
          .describe('Topics of the conversation, strongest first'),
        language: z.string().nullable().describe('ISO 639-1 code; null if unknown'),
      })
      .meta({ id: 'ConversationContext' })
      .describe('How the service understood the conversation'),
    timingsMs: z.record(z.string(), z.number()).describe('Duration of each step, in milliseconds'),
  })
  .meta({ id: 'BidDebug' });

/** A bid (api 5.1). */
export const bidResponse = z
  .object({
    bid: usdResponse.describe('CPM in USD'),
    bidId: z.uuid().describe('ID of the bid. Expires 5 minutes after issue'),
    debug: auctionResponse.optional().describe('With X-Debug: true'),
  })
  .meta({ id: 'Bid' });
