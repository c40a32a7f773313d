import * as z from 'zod';
import { BID_STRATEGIES } from '../../campaigns/campaign.ts';
import { NO_ANSWER } from '../../platform/judge.ts';
import { noBidReasons, OUTCOMES, type Outcome, outcomes } from '../../platform/values/outcomes.ts';
import { usdResponse } from '../../platform/values/response-schema.ts';

const describeOutcomes = (codes: readonly Outcome[]): string =>
  codes.map((code) => `\`${code}\`: ${OUTCOMES[code].means}`).join(' ');

export const candidateResponse = z
  .object({
    campaignId: z.string().describe('The campaign'),
    name: z.string().describe('What its advertiser calls it'),
    relevance: z.number().min(0).max(1).describe('Estimated chance that the ad is right here'),
    matched: z
      .array(
        z.object({
          term: z
            .string()
            .describe(
              "The keyword as its advertiser spells it, or the lexicon's phrase or topic; never conversation text",
            ),
          kind: z
            .enum(['keyword', 'phrase', 'topic'])
            .describe(
              "`keyword`: one of the campaign's; `phrase`: one that the lexicon links to its topics; `topic`: one that the publisher stated for the page",
            ),
          message: z.int().describe('Index in `messages`'),
          positions: z
            .array(
              z.object({
                start: z.int().min(0).describe('Index of the first UTF-16 code unit'),
                end: z.int().min(1).describe('Index behind the last one'),
              }),
            )
            .describe('Where its words stand in the content of the message; told here alone and stored nowhere'),
        }),
      )
      .describe('What spoke for it, at most 5 terms, and where it was said'),
    price: z
      .object({
        bid: usdResponse.describe('What it bid or would have'),
        strategy: z.enum(BID_STRATEGIES).optional().describe('By which the bid came about'),
        maxCpb: usdResponse.optional().describe('The most that it may bid'),
        pace: z.number().min(0).max(1).optional().describe('The part of its opportunities that it takes'),
        clickRate: z.number().min(0).max(1).optional().describe('Chance that an impression is clicked'),
        conversionRate: z.number().min(0).max(1).optional().describe('Chance that a click converts'),
        targetCpa: usdResponse.optional().describe('What a conversion is worth'),
        value: usdResponse.optional().describe('bid × relevance: what candidates are ranked by'),
      })
      .describe("USD CPM; how it came about is told of the key owner's own campaigns alone"),
    outcome: z.enum(outcomes).describe(describeOutcomes(outcomes)),
    field: z.string().optional().describe("What keeps a campaign of the key owner's own from serving"),
  })
  .meta({ id: 'Candidate' });

/** What X-Debug adds to a bid; its format may change without notice. */
export const auctionResponse = z
  .object({
    requestId: z.string().describe('The same as in `x-request-id`'),
    campaignId: z.string().nullable().describe("The winner's; null when there is none"),
    candidates: z.array(candidateResponse).describe('The campaigns that were considered, the best first, at most 20'),
    reason: z
      .enum(noBidReasons)
      .nullable()
      .describe(`Why there is no bid; null when there is one. ${describeOutcomes(noBidReasons)}`),
    judge: z
      .object({
        result: z.enum(['answered', ...NO_ANSWER]).describe('Whether it answered in time, and why not'),
        safe: z
          .boolean()
          .nullable()
          .describe('Whether it takes the conversation for a place for ads; null without an answer'),
      })
      .optional()
      .describe('What came of asking for a second opinion; absent where none was asked for'),
    context: z
      .object({
        topics: z
          .array(
            z.object({
              path: z.string().describe('Topic of the IAB Content Taxonomy with those above it'),
              evidence: z.number().describe('How much is said of it: 1 is a clear word just now'),
            }),
          )
          .describe('What is spoken of, the strongest first'),
        language: z.string().nullable().describe('ISO 639-1; null where it cannot be told'),
      })
      .describe('How the conversation was read'),
    timingsMs: z.record(z.string(), z.number()).describe('How long the parts took, milliseconds'),
  })
  .meta({ id: 'Debug' });

/** A bid (api 5.1). */
export const bidResponse = z
  .object({
    bid: usdResponse.describe('CPM in USD'),
    bidId: z.uuid().describe('Expires 5 minutes after issue'),
    debug: auctionResponse.optional().describe('With X-Debug: true'),
  })
  .meta({ id: 'Bid' });
