import { createIsCrawler, getInvalidity } from '../../shared/ads/bids/click-validity.ts';
import { createServing } from '../../shared/ads/bids/serve.ts';
import { countNotice, createBidStore } from '../../shared/ads/bids/store.ts';
import { getClearingPrice, isCharged, parseToken } from '../../shared/ads/openrtb/notices.ts';
import { notice } from '../../shared/ads/openrtb/openrtb-schema.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { query } from '../../shared/http/validation.ts';
import { toVisit } from '../../shared/http/visit.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Receives an exchange's notice (api 11.2). The key's billing notice charges the impression once; other notices are only counted. */
export default (effects: Effects) => {
  const bids = createBidStore(effects);
  const serve = createServing(effects);
  const isCrawler = createIsCrawler();

  return createApp('openrtb2/notice', effects).get(
    toHonoPath('openrtb2/notice'),
    query(endpoints['openrtb2/notice'], notice),
    async (c) => {
      const claim = parseToken(c.req.param('token'));
      const bid = claim && (await bids.find(claim.bidId));
      if (!bid?.exchange || !claim?.isSignedWith(bid.exchange.secret) || effects.clock.now() >= bid.validUntil)
        throw notFound('open', 'Notice not found or expired');
      // Only impression notices come from browsers and can be crawlers or prefetches. Servers send the others.
      const { method, header } = toVisit(c);
      if (claim.notice === 'impression' && getInvalidity(method, header, isCrawler)) return c.body(null, 204);
      if (isCharged(claim.notice, bid.exchange)) {
        const serving = await serve({ ...bid, price: getClearingPrice(bid, c.req.valid('query').price) });
        if (serving.outcome !== 'served') throw notFound('open', 'Notice not found or expired');
      } else {
        await effects.db.write(countNotice(bid.id, claim.notice));
      }
      return c.body(null, 204);
    },
  );
};
