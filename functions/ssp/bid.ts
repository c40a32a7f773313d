import { holdAuction } from '../../shared/bidding/auction.ts';
import { presentAuction } from '../../shared/bidding/present.ts';
import { createTurns } from '../../shared/bidding/turns.ts';
import { bidStore } from '../../shared/bids/store.ts';
import { campaignPicture } from '../../shared/campaigns/picture.ts';
import { ok } from '../../shared/http/answer.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { lexicon } from '../../shared/lexicon.ts';
import { toUsd } from '../../shared/money.ts';

/** Submit bid (contract, section 4.1): a conversation in, a CPM bid or null out. */
export default endpoint('ssp/bid', (effects) => {
  const picture = campaignPicture(effects, lexicon());
  const bids = bidStore(effects);
  const turn = createTurns();

  return {
    meanwhile: () => picture.refresh(),
    late: () => ok(null),

    async act({ body: { messages, countryCode }, key, wantsDebug }) {
      const startedAt = effects.clock.now();
      const { random } = effects.ids;
      const opportunity = { messages, countryCode, floor: key.bidFloor, now: startedAt, random, debug: wantsDebug };
      const auction = holdAuction(picture, opportunity, turn);
      const debug = { ...presentAuction(auction), timingsMs: { match: effects.clock.now() - startedAt } };
      const { winner } = auction;
      if (!winner) return ok(null, debug);
      const bid = await bids.issue({
        keyId: key.id,
        keyOwner: key.owner,
        mode: key.mode,
        campaignId: winner.campaign.id,
        campaignOwner: winner.campaign.owner,
        price: winner.bid,
        relevance: winner.relevance,
        countryCode,
        terms: winner.matched.map(({ term }) => term),
      });
      return ok({ bid: toUsd(bid.price), bidId: bid.id }, debug);
    },
  };
});
