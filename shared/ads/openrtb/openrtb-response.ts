import * as z from 'zod';
import { usdResponse } from '../../platform/values/response-schema.ts';

const bid = z
  .object({
    id: z.uuid().describe('ID of the bid'),
    impid: z.string().describe('`id` of the impression'),
    price: usdResponse.describe('CPM in USD'),
    adm: z.string().describe('Native 1.2 response as JSON, with the requested assets'),
    adomain: z.array(z.string()).describe("The advertiser's domain"),
    cat: z
      .array(z.string())
      .optional()
      .describe('Category of the campaign in the taxonomy `cattax`. Absent if the taxonomy has no category for it'),
    cattax: z
      .int()
      .describe(
        'Taxonomy of `cat`: the `cattax` of the request, or 9 if the request names a taxonomy that does not classify content',
      ),
    cid: z.string().describe('ID of the campaign'),
    crid: z.string().describe('ID of the creative. Changes only when the creative changes'),
    language: z.string().optional().describe('Language of the ad, ISO 639-1. Absent if it is unknown'),
    exp: z.int().describe('Seconds during which the bid can be billed and its notices are valid'),
    mtype: z.literal(4).describe('4: native'),
    nurl: z.string().describe('Win notice. Call it when the bid wins'),
    burl: z
      .string()
      .describe(
        'Billing notice. Call it when the bid is billable. Charges the impression, unless the key is billed by impression',
      ),
    lurl: z.string().describe('Loss notice. Call it when the bid loses'),
  })
  .meta({ id: 'ExchangeBid' });

/** Schema of a bid response (OpenRTB 2.6, section 4.2; api 11.1). */
export const exchangeBidResponse = z
  .object({
    id: z.string().describe('`id` of the request'),
    cur: z.literal('USD').describe('Currency of every price'),
    seatbid: z
      .array(
        z.object({ bid: z.array(bid).describe('At most one bid for each impression') }).meta({ id: 'ExchangeSeatBid' }),
      )
      .describe('One seat that contains all bids'),
  })
  .meta({ id: 'ExchangeBidResponse' });
