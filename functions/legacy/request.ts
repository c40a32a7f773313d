import { createKeySettings } from '../../shared/api-keys/settings.ts';
import {
  type Auction,
  type AuctionCandidate,
  holdAuction,
  type Opportunity,
  takePlaces,
  withInactive,
} from '../../shared/bidding/auction.ts';
import { whyNoBid } from '../../shared/bidding/no-bid.ts';
import { presentAuction } from '../../shared/bidding/present.ts';
import { createTieBreaker } from '../../shared/bidding/tie-breaker.ts';
import { createAdPlaces } from '../../shared/bids/ad-place.ts';
import { bidReader } from '../../shared/bids/bid-reader.ts';
import { creativeByNow } from '../../shared/bids/candidate-creatives.ts';
import { createKeywordReader } from '../../shared/bids/keyword-reader.ts';
import { createSecondOpinion } from '../../shared/bids/second-opinion.ts';
import { bidStore } from '../../shared/bids/store.ts';
import { wonBid } from '../../shared/bids/won.ts';
import { createCategoryFilters, mainCategory } from '../../shared/campaigns/category.ts';
import { findCampaign } from '../../shared/campaigns/find.ts';
import { createCatalog } from '../../shared/catalog/catalog.ts';
import { createInactiveCampaigns } from '../../shared/catalog/inactive.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { conversationIdIn } from '../../shared/conversations/schema.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { noAds } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { legacyContextOf } from '../../shared/legacy/context.ts';
import { messagesOf } from '../../shared/legacy/conversation.ts';
import { hasFormat, presentLegacyAd } from '../../shared/legacy/present.ts';
import { adRequest, adsIn } from '../../shared/legacy/schema.ts';
import { isoTime } from '../../shared/platform/clock.ts';
import { hasOptedOut } from '../../shared/regs/opt-out.ts';

/** Request ads the legacy way (api 6.1): the auction of the SSP API, with as many winners as were asked for. */
export default endpoint('legacy/request', (effects) => {
  const { clock, config, ids, metrics } = effects;
  const currentLexicon = lexicon();
  const catalog = createCatalog(effects, currentLexicon);
  const inactive = createInactiveCampaigns(effects, currentLexicon);
  const settingsOf = createKeySettings(effects);
  const adPlaces = createAdPlaces(effects, currentLexicon);
  const bids = bidStore(effects);
  const consider = createSecondOpinion(effects);
  const readKeywords = createKeywordReader(effects);
  const categoryFilter = createCategoryFilters(currentLexicon);
  const turn = createTieBreaker();
  const readBeside = bidReader({ settingsOf, places: adPlaces, catalog }, conversationIdIn);

  return {
    body: adRequest,
    adsAsked: adsIn,
    preload: (_, keyId, readBody) => readBeside(keyId, readBody),

    async act({ body, key, noBid, wantsDebug, requestId, ip, preloaded }) {
      const { context, placement, preferences, regs } = body;
      const { adFormat, maxAds, categories, excludeCategories } = preferences ?? {};
      const type = adFormat ?? 'text';
      const isExcluded = categoryFilter(excludeCategories ?? []);
      const messages = messagesOf(context);
      const place = await adPlaces.find(key, preloaded.settings, body.conversation, messages, preloaded.conversation);
      const optOut = regs ? await hasOptedOut(regs) : false;
      const opportunity: Opportunity & { optOut: boolean } = {
        messages,
        optOut,
        floor: key.bidFloor,
        now: clock.now(),
        random: ids.random,
        debug: wantsDebug,
        excludes(campaign) {
          if (regs?.coppa === 1) return 'coppa';
          if (!hasFormat(campaign, type)) return 'format';
          return isExcluded(campaign) ? 'blocked' : place.excludes(campaign);
        },
      };
      const { demand, judge } = await consider(catalog, opportunity, key);
      const held = holdAuction(demand, opportunity, turn);
      const auction = wantsDebug ? withInactive(held, holdAuction(await inactive(key.owner), opportunity, turn)) : held;
      const places = takePlaces(auction, place.roomFor(maxAds ?? 1), categoryFilter(categories ?? []));
      const keywordsOf = await readKeywords(wantsDebug ? [places] : []);
      const explained = (shown: Auction) => ({
        ...presentAuction(shown, key.owner, keywordsOf),
        ...(judge && { judge }),
      });
      const chosen = places.candidates.filter(({ outcome }) => outcome === 'won');
      if (chosen.length === 0) {
        noBid(whyNoBid(auction), maxAds ?? 1);
        throw noAds(explained(places));
      }
      const shownIn = legacyContextOf({ context, placement }, ip, optOut);
      const made = chosen.map(async (winner) => {
        const { campaign } = winner;
        const shown = creativeByNow(campaign, await findCampaign(effects, campaign.owner, campaign.id));
        if (!shown) return [];
        const said = { conversation: place.termsFor(campaign), ...(optOut && { optOut: true as const }) };
        const issued = await bids.issueLegacy(wonBid(winner, key, said), shown, shownIn);
        return presentLegacyAd(issued, shown.creative, type, mainCategory(campaign, currentLexicon), config.baseUrl);
      });
      const ads = (await Promise.all(made)).flat();
      if (ads.length === 0) {
        noBid('catalog_stale', maxAds ?? 1);
        throw noAds(explained(without(chosen, places)));
      }
      metrics.add('Bids', ads.length);
      return ok({ ads, requestId, timestamp: isoTime(clock.now()) }, explained(places));
    },
  };
});

/** An auction whose winners are gone. */
const without = (gone: AuctionCandidate[], auction: Auction): Auction => ({
  ...auction,
  noBid: 'catalog_stale',
  winner: undefined,
  candidates: auction.candidates.filter((candidate) => !gone.includes(candidate)),
});
