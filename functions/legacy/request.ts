import { getNoBidReason, selectWinners } from '../../shared/ads/auction/auction.ts';
import { createAuctions } from '../../shared/ads/auctions.ts';
import { getCurrentCreative } from '../../shared/ads/bids/candidate-creatives.ts';
import { toNewBid } from '../../shared/ads/bids/new-bid.ts';
import { createReaderUrls } from '../../shared/ads/bids/reader-urls.ts';
import { createBidStore } from '../../shared/ads/bids/store.ts';
import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { getConversationId } from '../../shared/ads/conversations/conversation-schema.ts';
import { parseConversation, toLegacyContext } from '../../shared/ads/legacy/context.ts';
import { adRequest, countRequestedAds } from '../../shared/ads/legacy/legacy-schema.ts';
import { hasFormat, presentLegacyAd } from '../../shared/ads/legacy/present.ts';
import type { Biddable } from '../../shared/campaigns/biddable.ts';
import { createCategoryFilters, getMainCategory } from '../../shared/campaigns/category.ts';
import { findCampaign } from '../../shared/campaigns/find.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { wantsDebug } from '../../shared/http/debug.ts';
import type { RequestContext } from '../../shared/http/env.ts';
import { noAds } from '../../shared/http/errors.ts';
import { legacyKey } from '../../shared/http/operations/api-key.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { jsonBody } from '../../shared/http/validation.ts';
import { toVisit } from '../../shared/http/visit.ts';
import { isoTime } from '../../shared/platform/clock.ts';
import type { Effects } from '../../shared/platform/effects.ts';

const row = endpoints['legacy/request'];

/** Requests legacy ads (api 6.1): runs the same auction as the SSP API, with up to `maxAds` winners. */
export default (effects: Effects) => {
  const { clock, config, metrics } = effects;
  const auctions = createAuctions(effects);
  const bids = createBidStore(effects);
  const readerUrls = createReaderUrls(effects);
  const categoryFilter = createCategoryFilters(getLexicon());
  const preload = (c: RequestContext, keyId: string) => auctions.read(keyId, c.req.json().then(getConversationId));

  return createApp('legacy/request', effects).post(
    toHonoPath('legacy/request'),
    legacyKey(effects, row, { adsAsked: countRequestedAds, preload }),
    ...jsonBody(row, adRequest),
    async (c) => {
      const { key, noBid } = c.var;
      const { context, placement, preferences, regs, conversation, variant } = c.req.valid('json');
      const type = preferences?.adFormat ?? 'text';
      const maxAds = preferences?.maxAds ?? 1;
      const isPreferred = categoryFilter(preferences?.categories ?? []);
      const isExcluded = categoryFilter(preferences?.excludeCategories ?? []);
      const { auction, slot, optOut, explain } = await auctions.hold({
        key,
        reads: await c.var.preloaded,
        messages: parseConversation(context),
        conversation,
        regs,
        debug: wantsDebug(c),
        getExclusion: (campaign: Biddable) =>
          !hasFormat(campaign, type) ? 'format' : isExcluded(campaign) ? 'blocked' : null,
      });
      const placed = selectWinners(auction, slot.countRoom(maxAds), isPreferred);
      const winners = placed.candidates.filter(({ outcome }) => outcome === 'won');
      if (winners.length === 0) {
        noBid(getNoBidReason(auction), { asked: maxAds, fillsAt: auction.fillsAt });
        throw noAds(await explain(placed));
      }
      const shownIn = toLegacyContext({ context, placement }, toVisit(c).ip, optOut);
      const issued = winners.map(async (winner) => {
        const { campaign } = winner;
        const shown = getCurrentCreative(campaign, await findCampaign(effects, campaign.owner, campaign.id));
        if (!shown) return [];
        const terms = {
          variant,
          conversation: slot.getConversationTerms(campaign),
          conversationCode: slot.conversationCode,
          ...(optOut && { optOut: true as const }),
        };
        const bid = await bids.issueLegacy(toNewBid(winner, key, terms), shown, shownIn);
        const { feedbackUrl } = await readerUrls.toUrls(bid.id);
        const urls = { baseUrl: config.baseUrl, feedbackUrl };
        return presentLegacyAd(bid, shown.creative, type, getMainCategory(campaign, getLexicon()), urls);
      });
      const ads = (await Promise.all(issued)).flat();
      if (ads.length === 0) {
        noBid('catalog_stale', { asked: maxAds });
        const candidates = placed.candidates.filter((candidate) => !winners.includes(candidate));
        throw noAds(await explain({ ...placed, noBid: 'catalog_stale', winner: undefined, candidates }));
      }
      metrics.add('Bids', ads.length);
      c.set('debug', await explain(placed));
      return c.json({ ads, requestId: c.env.requestId, timestamp: isoTime(clock.now()) });
    },
  );
};
