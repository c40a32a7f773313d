import { getNoBidReason, getSecondPrice } from '../../shared/ads/auction/auction.ts';
import { createAuctions } from '../../shared/ads/auctions.ts';
import { bidRequest } from '../../shared/ads/bids/bid-schema.ts';
import { toNewBid } from '../../shared/ads/bids/new-bid.ts';
import { createBidStore } from '../../shared/ads/bids/store.ts';
import { getConversationId } from '../../shared/ads/conversations/conversation-schema.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { wantsDebug } from '../../shared/http/debug.ts';
import type { AppContext, RequestContext } from '../../shared/http/env.ts';
import { apiKey } from '../../shared/http/operations/api-key.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { checkBody, jsonBody } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { toUsd } from '../../shared/platform/values/money.ts';
import { type NoBidDetails, type NoBidReason, OUTCOMES } from '../../shared/platform/values/outcomes.ts';

const row = endpoints['ssp/bid'];

/** Runs an auction for a conversation and responds with a CPM bid, or null (api 5.1). */
export default (effects: Effects) => {
  const auctions = createAuctions(effects);
  const bids = createBidStore(effects);
  const preload = (c: RequestContext, keyId: string) => auctions.read(keyId, c.req.json().then(getConversationId));

  return createApp('ssp/bid', effects, answerLate).post(
    toHonoPath('ssp/bid'),
    apiKey(effects, row, { adsAsked: 1, preload }),
    ...jsonBody(row, bidRequest),
    async (c) => {
      const { key } = c.var;
      const reads = await c.var.preloaded;
      const request = c.req.valid('json');
      const { messages, countryCode, conversation, variant, regs } = request;
      const held = await auctions.hold({ key, reads, messages, countryCode, conversation, regs, debug: wantsDebug(c) });
      const { auction, slot, optOut } = held;
      c.set('debug', await held.explain());
      const { winner } = auction;
      if (!winner) return answerNoBid(c, getNoBidReason(auction), { fillsAt: auction.fillsAt });
      const isSecondPrice = reads.settings.auction === 'second';
      const price = isSecondPrice ? getSecondPrice(winner, auction.candidates, key.bidFloor) : winner.bid;
      const terms = {
        countryCode,
        price,
        variant,
        conversation: slot.getConversationTerms(winner.campaign),
        conversationCode: slot.conversationCode,
        ...(optOut && { optOut }),
      };
      const bid = await bids.issue(toNewBid(winner, key, terms));
      effects.metrics.add('Bids');
      return c.json({ bid: toUsd(bid.price), bidId: bid.id });
    },
  );
};

/** After the deadline the response is a no-bid, but invalid input is still rejected. */
async function answerLate(c: AppContext): Promise<Response> {
  await checkBody(c, row.area, bidRequest);
  c.set('debug', { campaignId: null, reason: 'late', candidates: [] });
  return answerNoBid(c, 'late');
}

/** Counts a no-bid, and names the same reason in the response. */
function answerNoBid(c: Pick<AppContext, 'var' | 'json'>, reason: NoBidReason, details?: NoBidDetails): Response {
  c.var.noBid?.(reason, details);
  return c.json(null, 200, { 'x-no-bid-reason': `${reason}: ${OUTCOMES[reason].means}` });
}
