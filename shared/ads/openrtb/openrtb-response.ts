import * as z from 'zod';
import { usdResponse } from '../../platform/values/response-schema.ts';

const bid = z
  .object({
    id: z.uuid().describe('Of the bid'),
    impid: z.string().describe('The `id` of the impression'),
    price: usdResponse.describe('CPM in USD'),
    adm: z.string().describe('A native response 1.2 as JSON, with the assets that were asked for'),
    adomain: z.array(z.string()).describe("The advertiser's domain"),
    cat: z.array(z.string()).optional().describe('Category of the campaign, by `cattax`; absent where that has none'),
    cattax: z.int().describe('Taxonomy of `cat`: that of the request, 9 instead of one that is not of content'),
    cid: z.string().describe('The campaign'),
    crid: z.string().describe('The creative: the same while nothing of it changes, whatever else of its campaign does'),
    language: z.string().optional().describe('ISO 639-1; absent where it cannot be told'),
    exp: z.int().describe('Seconds in which it can be billed, and its notices hold'),
    mtype: z.literal(4).describe('4: native'),
    nurl: z.string().describe('To be called when it has won; counts'),
    burl: z.string().describe('To be called when it is billable; charges, unless the key is billed by impression'),
    lurl: z.string().describe('To be called when it was lost; counts'),
  })
  .meta({ id: 'ExchangeBid' });

/** A bid response of OpenRTB 2.6 (api 11.1). */
export const exchangeBidResponse = z
  .object({
    id: z.string().describe('The `id` of the request'),
    cur: z.literal('USD').describe('Currency of every price'),
    seatbid: z
      .array(z.object({ bid: z.array(bid).describe('At most one for each impression') }))
      .describe('One, with all bids'),
  })
  .meta({ id: 'ExchangeBidResponse' });
