import * as z from 'zod';
import { BID_STRATEGIES } from '../campaigns/schema.ts';
import { NO_ANSWER } from '../platform/judge.ts';
import { noBidReasons, OUTCOMES, type Outcome, outcomes } from '../values/outcomes.ts';
import { usdResponse } from '../values/response-schema.ts';

const meaningOf = (codes: readonly Outcome[]): string =>
  codes.map((code) => `\`${code}\`: ${OUTCOMES[code].means}`).join(' ');

const candidate = z
  .object({
    campaignId: z.string(),
    name: z.string(),
    relevance: z.number().min(0).max(1).describe('Estimated chance that the ad is right here'),
    matched: z
      .array(z.object({ term: z.string(), message: z.int() }))
      .describe('What spoke for it, as said, and the index of the message'),
    price: z
      .object({
        bid: usdResponse,
        strategy: z.enum(BID_STRATEGIES).optional(),
        maxCpb: usdResponse.optional(),
        pace: z.number().min(0).max(1).optional().describe('The part of its opportunities that it takes'),
        clickRate: z.number().min(0).max(1).optional().describe('Chance that an impression is clicked'),
        conversionRate: z.number().min(0).max(1).optional().describe('Chance that a click converts'),
        targetCpa: usdResponse.optional().describe('What a conversion is worth'),
        value: usdResponse.optional().describe('bid × relevance: what candidates are ranked by'),
      })
      .describe("USD CPM; how it came about is told of the key owner's own campaigns alone"),
    outcome: z.enum(outcomes).describe(meaningOf(outcomes)),
    field: z.string().optional().describe("What keeps a campaign of the key owner's own from serving"),
  })
  .meta({ id: 'Candidate' });

/** What X-Debug adds to a bid; its format may change without notice. */
export const auctionResponse = z
  .object({
    requestId: z.string(),
    campaignId: z.string().nullable(),
    candidates: z.array(candidate),
    reason: z
      .enum(noBidReasons)
      .nullable()
      .describe(`Why there is no bid; null when there is one. ${meaningOf(noBidReasons)}`),
    judge: z
      .object({ result: z.enum(['answered', ...NO_ANSWER]), safe: z.boolean().nullable() })
      .optional()
      .describe('What came of asking for a second opinion; absent where none was asked for'),
    context: z.object({
      topics: z.array(z.object({ path: z.string(), evidence: z.number() })),
      language: z.string().nullable().describe('ISO 639-1; null where it cannot be told'),
    }),
    timingsMs: z.record(z.string(), z.number()),
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
