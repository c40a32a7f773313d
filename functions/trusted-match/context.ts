import { createAuctions } from '../../shared/ads/auctions.ts';
import { toNewBid } from '../../shared/ads/bids/new-bid.ts';
import { createBidStore } from '../../shared/ads/bids/store.ts';
import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { createCategories } from '../../shared/ads/openrtb/categories.ts';
import { createExchangeTerms } from '../../shared/ads/openrtb/notices.ts';
import { getMatchMessages } from '../../shared/ads/trusted-match/context.ts';
import { toContextMatch, toOffer } from '../../shared/ads/trusted-match/context-response.ts';
import { contextMatchRequest } from '../../shared/ads/trusted-match/context-schema.ts';
import { createMatchExclusions, getMatchCountry, getMatchRefusal } from '../../shared/ads/trusted-match/opportunity.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { wantsDebug } from '../../shared/http/debug.ts';
import type { RequestContext } from '../../shared/http/env.ts';
import { apiKey } from '../../shared/http/operations/api-key.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { jsonBody } from '../../shared/http/validation.ts';
import type { AdStrictness } from '../../shared/matching/index.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import type { NoBidReason } from '../../shared/platform/values/outcomes.ts';

const row = endpoints['trusted-match/context'];

/** Offers the best matching campaign for an assistant's conversation, or none (api 11.3). Never fetches URLs from the request. */
export default (effects: Effects) => {
  const { config, ids, metrics } = effects;
  const auctions = createAuctions(effects);
  const bids = createBidStore(effects);
  const categories = createCategories(getLexicon());
  const preload = (_: RequestContext, keyId: string) => auctions.read(keyId, Promise.resolve(undefined));

  return createApp('trusted-match/context', effects).post(
    toHonoPath('trusted-match/context'),
    apiKey(effects, row, { adsAsked: 1, preload }),
    ...jsonBody(row, contextMatchRequest),
    async (c) => {
      const { key, noBid } = c.var;
      const body = c.req.valid('json');
      const respondNoBid = (reason: NoBidReason, fillsAt: AdStrictness | null = null) => {
        noBid(reason, { fillsAt });
        return c.json(toContextMatch(body.request_id, []));
      };
      const reads = await c.var.preloaded;
      const messages = getMatchMessages(body, categories);
      const refusal = getMatchRefusal(body, reads.settings) ?? (messages ? null : 'no_user_message');
      if (refusal || !messages) {
        c.set('debug', { reason: refusal });
        return respondNoBid(refusal ?? 'no_user_message');
      }
      const countryCode = getMatchCountry(body);
      const request = {
        key,
        reads,
        messages,
        countryCode,
        getExclusion: createMatchExclusions(body),
        debug: wantsDebug(c),
      };
      const { won, reason, auction, explain } = await auctions.holdForAd(request, (creative) => creative);
      c.set('debug', await explain());
      if (!won) return respondNoBid(reason, auction.fillsAt);

      // The protocol separates the conversation from the user's identity, so treat every request as opted out: store neither.
      const bid = toNewBid(won.candidate, key, { countryCode, optOut: true });
      const terms = { ...createExchangeTerms(ids, 'impression', undefined), byClick: true as const };
      const issued = await bids.issueForExchange(bid, won.shown, terms);
      metrics.add('Bids');
      return c.json(toContextMatch(body.request_id, [toOffer(issued, won.result, config.baseUrl)]));
    },
  );
};
