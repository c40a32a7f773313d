import { createKeySettings } from '../../shared/api-keys/settings.ts';
import { holdAuction, withInactive } from '../../shared/bidding/auction.ts';
import { whyNoBid } from '../../shared/bidding/no-bid.ts';
import { presentAuction } from '../../shared/bidding/present.ts';
import { secondPrice } from '../../shared/bidding/second-price.ts';
import { createTieBreaker } from '../../shared/bidding/tie-breaker.ts';
import { createAdPlaces } from '../../shared/bids/ad-place.ts';
import { bidReader } from '../../shared/bids/bid-reader.ts';
import { createKeywordReader } from '../../shared/bids/keyword-reader.ts';
import { bidRequest } from '../../shared/bids/schema.ts';
import { createSecondOpinion } from '../../shared/bids/second-opinion.ts';
import { bidStore } from '../../shared/bids/store.ts';
import { wonBid } from '../../shared/bids/won.ts';
import { createCatalog } from '../../shared/catalog/catalog.ts';
import { createInactiveCampaigns } from '../../shared/catalog/inactive.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { conversationIdIn } from '../../shared/conversations/schema.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { hasOptedOut } from '../../shared/regs/opt-out.ts';
import { toUsd } from '../../shared/values/money.ts';

/** Submit bid (api 5.1): a conversation in, a CPM bid or null out. */
export default endpoint('ssp/bid', (effects) => {
  const { clock, ids, metrics } = effects;
  const catalog = createCatalog(effects, lexicon());
  const inactive = createInactiveCampaigns(effects, lexicon());
  const settingsOf = createKeySettings(effects);
  const places = createAdPlaces(effects, lexicon());
  const bids = bidStore(effects);
  const consider = createSecondOpinion(effects);
  const readKeywords = createKeywordReader(effects);
  const turn = createTieBreaker();
  const readBeside = bidReader({ settingsOf, places, catalog }, conversationIdIn);

  return {
    body: bidRequest,
    adsAsked: 1,
    preload: (_, keyId, readBody) => readBeside(keyId, readBody),
    onTimeout(noBid) {
      noBid('late');
      return ok(null, { campaignId: null, reason: 'late', candidates: [] });
    },

    async act({ body: { messages, countryCode, conversation, regs }, key, noBid, wantsDebug, preloaded }) {
      const { settings } = preloaded;
      const place = await places.find(key, settings, conversation, messages, preloaded.conversation);
      const now = clock.now();
      const { random } = ids;
      const optOut = regs ? await hasOptedOut(regs) : false;
      const excludes = regs?.coppa === 1 ? () => 'coppa' as const : place.excludes;
      const opportunity = {
        messages,
        countryCode,
        floor: key.bidFloor,
        now,
        random,
        excludes,
        optOut,
        debug: wantsDebug,
      };
      const { demand, judge } = await consider(catalog, opportunity, key);
      const judged = clock.now() - now;
      const held = holdAuction(demand, opportunity, turn);
      const match = clock.now() - now - judged;
      metrics.add('MatchTime', match);
      const auction = wantsDebug ? withInactive(held, holdAuction(await inactive(key.owner), opportunity, turn)) : held;
      const debug = {
        ...presentAuction(auction, key.owner, await readKeywords(wantsDebug ? [auction] : [])),
        ...(judge && { judge }),
        timingsMs: { match, ...(judge && { judge: judged }) },
      };
      const { winner } = auction;
      if (!winner) {
        noBid(whyNoBid(auction));
        return ok(null, debug);
      }
      const price = settings.auction === 'second' ? secondPrice(winner, held.candidates, key.bidFloor) : winner.bid;
      const said = { countryCode, price, conversation: place.termsFor(winner.campaign), ...(optOut && { optOut }) };
      const bid = await bids.issue(wonBid(winner, key, said));
      metrics.add('Bids');
      return ok({ bid: toUsd(bid.price), bidId: bid.id }, debug);
    },
  };
});
