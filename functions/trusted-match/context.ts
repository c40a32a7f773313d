import { createKeySettings } from '../../shared/api-keys/settings.ts';
import { presentAuction } from '../../shared/bidding/present.ts';
import { createTieBreaker } from '../../shared/bidding/tie-breaker.ts';
import { createAdPlaces } from '../../shared/bids/ad-place.ts';
import { candidateCreatives } from '../../shared/bids/candidate-creatives.ts';
import { createKeywordReader } from '../../shared/bids/keyword-reader.ts';
import { bidStore } from '../../shared/bids/store.ts';
import { wonBid } from '../../shared/bids/won.ts';
import type { Biddable } from '../../shared/campaigns/biddable.ts';
import { createCatalog } from '../../shared/catalog/catalog.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { auctionAd } from '../../shared/exchange/auction.ts';
import { createCategories } from '../../shared/exchange/categories.ts';
import { exchangeTerms } from '../../shared/exchange/notices.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { messagesOfMatch } from '../../shared/trusted-match/context.ts';
import { countryOfMatch, exclusionsOfMatch, refusalOfMatch } from '../../shared/trusted-match/opportunity.ts';
import { presentMatch, presentOffer } from '../../shared/trusted-match/present.ts';
import { contextMatchRequest } from '../../shared/trusted-match/schema.ts';
import type { NoBidReason } from '../../shared/values/outcomes.ts';

/** Offer an ad for what an assistant talks about (api 11.3): the best campaign that fits, or none. No address that comes is ever fetched. */
export default endpoint('trusted-match/context', (effects) => {
  const { clock, config, ids, metrics } = effects;
  const words = lexicon();
  const settingsOf = createKeySettings(effects);
  const places = createAdPlaces(effects, words);
  const catalog = createCatalog(effects, words);
  const categories = createCategories(words);
  const bids = bidStore(effects);
  const readKeywords = createKeywordReader(effects);
  const demand = { campaigns: catalog, creativeOf: candidateCreatives(effects), turn: createTieBreaker() };

  return {
    body: contextMatchRequest,
    adsAsked: 1,
    preload: async (_, keyId) => (await Promise.all([settingsOf(keyId), catalog.refresh()]))[0],

    async act({ body, key, noBid, wantsDebug, preloaded: settings }) {
      const none = (reason: NoBidReason, debug: object = { reason }) => {
        noBid(reason);
        return ok(presentMatch(body.request_id, []), { ...debug });
      };
      const messages = messagesOfMatch(body, categories);
      const refusal = refusalOfMatch(body, settings) ?? (messages ? null : 'no_user_message');
      if (refusal || !messages) return none(refusal ?? 'no_user_message');

      const place = await places.find(key, settings, undefined, messages);
      const isExcluded = exclusionsOfMatch(body);
      const now = clock.now();
      const opportunity = {
        messages,
        countryCode: countryOfMatch(body),
        floor: key.bidFloor,
        now,
        random: ids.random,
        excludes: (campaign: Biddable) => place.excludes(campaign) ?? isExcluded(campaign),
        debug: wantsDebug,
      };
      const { won, reason, auction } = await auctionAd(opportunity, demand, (creative) => creative);
      const timingsMs = { match: clock.now() - now };
      const keywordsOf = await readKeywords(wantsDebug ? [auction] : []);
      const debug = { ...presentAuction(auction, key.owner, keywordsOf), timingsMs };
      if (!won) return none(reason, debug);

      // The protocol keeps what is talked about apart from who talks: nothing of either is kept with the bid, or with its click.
      const bid = wonBid(won.candidate, key, { countryCode: opportunity.countryCode, optOut: true });
      const terms = { ...exchangeTerms(ids, 'impression', undefined), byClick: true as const };
      const issued = await bids.issueForExchange(bid, won.shown, terms);
      metrics.add('Bids');
      return ok(presentMatch(body.request_id, [presentOffer(issued, won.made, config.baseUrl)]), debug);
    },
  };
});
