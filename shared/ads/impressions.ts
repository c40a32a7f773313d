import type { Effects } from '../platform/effects.ts';
import type { Micros } from '../platform/values/money.ts';
import type { AuctionReads, Auctions, Seller } from './auctions.ts';
import type { Categories } from './openrtb/categories.ts';
import { getConversation } from './openrtb/context.ts';
import { auctionImpressions } from './openrtb/impressions.ts';
import type { ExchangeBidRequest, Imp } from './openrtb/openrtb-schema.ts';
import { findUnclearBlocks } from './openrtb/opportunity.ts';

/** `floor` is a CPM in micro-dollars. */
interface ImpressionRequest {
  seller: Seller;
  floor: Micros;
  reads: AuctionReads;
  debug: boolean;
}

/**
 * Holds an auction for each impression of an OpenRTB request; a campaign wins at most one. Separate from the auction service, so that the
 * other functions do not bundle the OpenRTB code.
 */
export const createImpressionAuctions =
  ({ clock, ids }: Pick<Effects, 'clock' | 'ids'>, auctions: Auctions, categories: Categories) =>
  async (body: ExchangeBidRequest, { seller, floor, reads, debug }: ImpressionRequest) => {
    const findSlots = (imps: readonly Imp[]) => {
      const conversations = imps.map((imp) => getConversation(body, imp));
      return auctions.findSlots(seller, reads, conversations);
    };
    const now = clock.now();
    const { adStrictness } = reads.settings;
    const options = { floor, adStrictness, now, random: ids.random, findSlots, debug };
    const outcomes = await auctionImpressions(body, options, { ...auctions.demand, categories });
    const timingsMs = { match: clock.now() - now };
    const explain = async () => {
      const auctionsHeld = outcomes.flatMap(({ auction }) => auction ?? []);
      const explained = await auctions.explainAll(auctionsHeld, seller.owner, debug);
      const imps = outcomes.map(({ impid, reason, auction }) => ({
        impid,
        ...(auction ? explained(auction) : { reason }),
      }));
      const unread = findUnclearBlocks(body, categories);
      return { imps, ...(unread.length > 0 && { unread }), timingsMs };
    };
    return { outcomes, explain };
  };
