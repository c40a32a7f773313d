import { isServed, toImpressionId } from '../../shared/ads/bids/bid.ts';
import { createServing } from '../../shared/ads/bids/serve.ts';
import { createBidStore } from '../../shared/ads/bids/store.ts';
import { tracking } from '../../shared/ads/legacy/legacy-schema.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { legacyKey } from '../../shared/http/operations/api-key.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { query } from '../../shared/http/validation.ts';
import { isoTime } from '../../shared/platform/clock.ts';
import type { Effects } from '../../shared/platform/effects.ts';

const row = endpoints['legacy/impression'];

/** Tracks an impression of a legacy ad (api 6.2). The first is charged; a repeat gets the same response. */
export default (effects: Effects) => {
  const bids = createBidStore(effects);
  const serve = createServing(effects);

  return createApp('legacy/impression', effects).get(
    toHonoPath('legacy/impression'),
    legacyKey(effects, row, { preload: (c) => bids.find(c.req.param('adId') ?? '') }),
    query(row, tracking),
    async (c) => {
      const bid = await c.var.preloaded;
      if (!bid?.shown || bid.keyId !== c.var.key.id) throw notFound('legacy', 'Ad not found');
      // After an opt-out, no user id is stored.
      const { userId, sessionId } = bid.optOut ? {} : c.req.valid('query');
      const viewer = { userId: userId || bid.shown.userId, sessionId: sessionId || bid.shown.sessionId };
      const serving = isServed(bid)
        ? { outcome: 'served' as const, bid }
        : await serve({ ...bid, shown: { ...bid.shown, ...viewer } });
      if (serving.outcome !== 'served') throw notFound('legacy', 'Ad not found');
      return c.json({
        success: true,
        adId: bid.id,
        impressionId: toImpressionId(bid.id),
        timestamp: isoTime(serving.bid.servedAt),
      });
    },
  );
};
