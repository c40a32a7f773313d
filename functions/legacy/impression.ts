import { impressionIdOf, isServed } from '../../shared/bids/bid.ts';
import { createServing } from '../../shared/bids/serve.ts';
import { bidStore } from '../../shared/bids/store.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { tracking } from '../../shared/legacy/schema.ts';
import { isoTime } from '../../shared/platform/clock.ts';

/** Track an impression the legacy way (api 6.2): the first one of an ad is charged, a repeat answers the same. */
export default endpoint('legacy/impression', (effects) => {
  const bids = bidStore(effects);
  const serve = createServing(effects);

  return {
    query: tracking,
    preload: ({ adId }) => bids.find(adId),

    async act({ key, query, preloaded: bid }) {
      if (!bid?.shown || bid.keyId !== key.id) throw notFound('legacy', 'Ad not found');
      const { userId, sessionId } = bid.optOut ? {} : query; // who has opted out is not kept by any name
      const viewer = { userId: userId || bid.shown.userId, sessionId: sessionId || bid.shown.sessionId };
      const serving = isServed(bid)
        ? { outcome: 'served' as const, bid }
        : await serve({ ...bid, shown: { ...bid.shown, ...viewer } });
      if (serving.outcome !== 'served') throw notFound('legacy', 'Ad not found');
      return ok({
        success: true,
        adId: bid.id,
        impressionId: impressionIdOf(bid.id),
        timestamp: isoTime(serving.bid.servedAt),
      });
    },
  };
});
