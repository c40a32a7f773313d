import { createKeySettings } from '../../shared/api-keys/settings.ts';
import { type KeywordsOf, presentAuction } from '../../shared/bidding/present.ts';
import { createTieBreaker } from '../../shared/bidding/tie-breaker.ts';
import { createAdPlaces } from '../../shared/bids/ad-place.ts';
import { bidReader } from '../../shared/bids/bid-reader.ts';
import { candidateCreatives } from '../../shared/bids/candidate-creatives.ts';
import { createKeywordReader } from '../../shared/bids/keyword-reader.ts';
import { bidStore } from '../../shared/bids/store.ts';
import { wonBid } from '../../shared/bids/won.ts';
import { createCatalog } from '../../shared/catalog/catalog.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { memberOf } from '../../shared/conversations/schema.ts';
import { createCategories } from '../../shared/exchange/categories.ts';
import { impressionConversation } from '../../shared/exchange/context.ts';
import { auctionImpressions } from '../../shared/exchange/impressions.ts';
import { exchangeTerms } from '../../shared/exchange/notices.ts';
import { countryOf, hasReaderOptedOut, unreadBlocks } from '../../shared/exchange/opportunity.ts';
import { presentExchangeBid } from '../../shared/exchange/present.ts';
import { exchangeBidRequest, firstConversationIn, type Imp, MOST_IMPRESSIONS } from '../../shared/exchange/schema.ts';
import { leavesByTmax } from '../../shared/exchange/tmax.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { invalid } from '../../shared/http/errors.ts';
import { noContent, ok } from '../../shared/http/response.ts';
import type { Clock } from '../../shared/platform/clock.ts';
import { OutOfTime } from '../../shared/platform/unavailable.ts';

/** Bid on the impressions that an exchange offers (api 11.1): at most one bid for each, 204 where there is none. */
export default endpoint('openrtb2/bid', (effects) => {
  const { clock, config, ids, metrics } = effects;
  const settingsOf = createKeySettings(effects);
  const words = lexicon();
  const catalog = createCatalog(effects, words);
  const bids = bidStore(effects);
  const demand = {
    campaigns: catalog,
    categories: createCategories(words),
    creativeOf: candidateCreatives(effects),
    turn: createTieBreaker(),
    places: createAdPlaces(effects, words),
  };
  const readKeywords = createKeywordReader(effects);
  const readBeside = bidReader({ settingsOf, places: demand.places, catalog }, firstConversationIn);

  return {
    body: exchangeBidRequest,
    preload: (_, keyId, readBody) => readBeside(keyId, readBody),
    limitCost: impressionsIn,
    adsAsked: (json) => (isTest(json) ? 0 : impressionsIn(json)),
    leavesAt: leavesByTmax,
    onTimeout(noBid, asked) {
      noBid('late', asked);
      return noContent({ reason: 'late' });
    },

    async act({ body, key, noBid, header, wantsDebug, preloaded, leavesAt }) {
      const version = header('x-openrtb-version') || '2.6';
      if (!/^2\.\d(-\d{6})?$/.test(version))
        throw invalid('ssp', [{ path: 'x-openrtb-version', message: 'x-openrtb-version must be 2.x, or 2.x-yyyymm' }]);

      const { settings } = preloaded;
      const { id, owner } = key; // the whole item, of the store's, is slow to copy
      const seller = { id, owner, mode: body.test === 1 ? ('test' as const) : key.mode };
      const placesOf = (imps: readonly Imp[]) => {
        const named = imps.map((imp) => impressionConversation(body, imp));
        return demand.places.findAll(seller, settings, named, preloaded.conversation);
      };
      const optOut = await hasReaderOptedOut(body);
      const now = clock.now();
      const options = { floor: key.bidFloor, now, random: ids.random, placesOf, debug: wantsDebug };
      const outcomes = await auctionImpressions(body, options, demand);
      const timingsMs = { match: clock.now() - now };
      const keywordsOf = await readKeywords(wantsDebug ? outcomes.flatMap(({ auction }) => auction ?? []) : []);
      const debug = wantsDebug
        ? { ...explain(outcomes, owner, keywordsOf, unreadBlocks(body, demand.categories)), timingsMs }
        : {};
      endAt(leavesAt, clock);
      const stated = { baseUrl: config.baseUrl, cattax: body.cattax ?? 1, categories: demand.categories };
      const issued = outcomes
        .flatMap(({ winner }) => winner ?? [])
        .map(async (winner) => {
          const { conversation } = winner;
          const said = { countryCode: countryOf(body), conversation, ...(optOut && { optOut }) };
          const won = wonBid(winner.candidate, seller, said);
          const exchange = exchangeTerms(ids, settings.billing, body.at === 1 ? undefined : winner.floor);
          return presentExchangeBid(winner, await bids.issueForExchange(won, winner.shown, exchange), stated);
        });
      const bidding = await Promise.all(issued);
      endAt(leavesAt, clock);
      for (const { reason } of outcomes) if (reason) noBid(reason, body.test === 1 ? 0 : 1);
      if (bidding.length === 0) return noContent(debug);
      metrics.add('Bids', bidding.length);
      return ok({ id: body.id, cur: 'USD', seatbid: [{ bid: bidding }] }, debug);
    },
  };
});

/** @throws OutOfTime from a moment on: what nobody waits for is neither bid nor counted but as late. */
function endAt(moment: number, clock: Clock): void {
  if (clock.now() >= moment) throw new OutOfTime('the answer should have left');
}

/** What X-Debug tells of each impression, and of entries of lists that could not be read. */
const explain = (
  outcomes: Awaited<ReturnType<typeof auctionImpressions>>,
  owner: string,
  keywordsOf: KeywordsOf,
  unread: string[],
) => ({
  imps: outcomes.map(({ impid, reason, auction }) => ({
    impid,
    ...(auction ? presentAuction(auction, owner, keywordsOf) : { reason }),
  })),
  ...(unread.length > 0 && { unread }),
});

/** How many impressions a body offers, at least one. */
function impressionsIn(json: unknown): number {
  const list = memberOf(json, 'imp');
  return Math.min(MOST_IMPRESSIONS, Math.max(1, Array.isArray(list) ? list.length : 0));
}

const isTest = (json: unknown): boolean => memberOf(json, 'test') === 1;
