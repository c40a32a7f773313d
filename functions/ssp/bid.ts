import { createKeySettings } from '../../shared/api-keys/settings.ts';
import { holdAuction, withInactive } from '../../shared/bidding/auction.ts';
import { whyNoBid } from '../../shared/bidding/no-bid.ts';
import { presentAuction } from '../../shared/bidding/present.ts';
import { createTieBreaker } from '../../shared/bidding/tie-breaker.ts';
import { bidRequest } from '../../shared/bids/schema.ts';
import { createSecondOpinion } from '../../shared/bids/second-opinion.ts';
import { bidStore } from '../../shared/bids/store.ts';
import { wonBid } from '../../shared/bids/won.ts';
import { createCatalog } from '../../shared/catalog/catalog.ts';
import { createInactiveCampaigns } from '../../shared/catalog/inactive.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { toUsd } from '../../shared/values/money.ts';

/** Submit bid (api 5.1): a conversation in, a CPM bid or null out. */
export default endpoint('ssp/bid', (effects) => {
  const { clock, ids, metrics } = effects;
  const catalog = createCatalog(effects, lexicon());
  const inactive = createInactiveCampaigns(effects, lexicon());
  const settingsOf = createKeySettings(effects);
  const bids = bidStore(effects);
  const consider = createSecondOpinion(effects);
  const turn = createTieBreaker();

  return {
    body: bidRequest,
    preload: (_, keyId) => Promise.all([settingsOf(keyId), catalog.refresh()]),
    onTimeout() {
      metrics.add('NoBids.late');
      return ok(null, { campaignId: null, reason: 'late', candidates: [] });
    },

    async act({ body: { messages, countryCode }, key, wantsDebug }) {
      const now = clock.now();
      const { random } = ids;
      const opportunity = { messages, countryCode, floor: key.bidFloor, now, random, debug: wantsDebug };
      const { demand, judge } = await consider(catalog, opportunity, key);
      const judged = clock.now() - now;
      const held = holdAuction(demand, opportunity, turn);
      const match = clock.now() - now - judged;
      metrics.add('MatchTime', match);
      const auction = wantsDebug ? withInactive(held, holdAuction(await inactive(key.owner), opportunity, turn)) : held;
      const debug = {
        ...presentAuction(auction, key.owner),
        ...(judge && { judge }),
        timingsMs: { match, ...(judge && { judge: judged }) },
      };
      const { winner } = auction;
      if (!winner) {
        metrics.add(`NoBids.${whyNoBid(auction)}`);
        return ok(null, debug);
      }
      const bid = await bids.issue(wonBid(winner, key, countryCode));
      metrics.add('Bids');
      return ok({ bid: toUsd(bid.price), bidId: bid.id }, debug);
    },
  };
});
