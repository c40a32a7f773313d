import * as z from 'zod';
import { servingResponse } from '../../campaigns/campaign-response.ts';
import { outcomes } from '../../platform/values/outcomes.ts';
import { countValue } from '../../platform/values/response-schema.ts';
import { auctionResponse, candidateResponse } from '../auction/auction-response.ts';

const { campaignId, name, relevance, matched, price } = candidateResponse.shape;
const outcome = z
  .enum(outcomes)
  .describe(
    '`won`, or why not: as X-Debug says it, but `outranked` wherever a campaign of another owner stands in its way',
  );
const means = z.string().describe('The outcome in a sentence');
const ownBid = price.nullable().describe('USD CPM that it would bid; null where it was not asked for a bid');

/** What a campaign would make of a conversation, and how many of a sample it reaches (api 3.6). */
export const previewResponse = z
  .object({
    match: z
      .object({
        outcome,
        means,
        fits: z.boolean().describe('Whether it would bid, whoever else does'),
        relevance,
        matched,
        price: ownBid,
        others: z
          .object({ better: countValue.describe('Other campaigns that stand in its way, at most 20') })
          .nullable()
          .describe('Null where it would not bid, or nothing is known of others just now'),
        own: z
          .array(z.object({ campaignId, name, relevance, matched, price: ownBid, outcome, means }))
          .describe('The other campaigns of the user that were considered, best first and at most 20, as they are'),
        context: auctionResponse.shape.context,
      })
      .nullable()
      .describe('Null without messages. As if the campaign served; what keeps it from that stands in `serving`'),
    serving: servingResponse,
    reach: z
      .object({
        conversations: countValue.describe('In the sample'),
        campaign: countValue.describe('How many of them the campaign fits'),
        keywords: z
          .array(
            z.object({
              keyword: z.string().describe('As it was sent'),
              conversations: countValue.describe('How many it reaches by itself'),
              add: z
                .array(z.string())
                .describe(
                  'Other keywords for what it names, which reach conversations that say them and that the campaign misses',
                ),
              hint: z
                .string()
                .nullable()
                .describe('What to do where it misses conversations; null where nothing better is known'),
            }),
          )
          .describe('In the order of the campaign'),
      })
      .describe('Of a sample of conversations that the service ships, over all topics'),
  })
  .meta({ id: 'CampaignPreview' });
