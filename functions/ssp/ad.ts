import { presentAd } from '../../shared/ads/bids/ad.ts';
import { countAttempts } from '../../shared/ads/bids/click-validity.ts';
import { createCreatives } from '../../shared/ads/bids/creatives.ts';
import { createReaderUrls } from '../../shared/ads/bids/reader-urls.ts';
import { createServing } from '../../shared/ads/bids/serve.ts';
import { createBidStore } from '../../shared/ads/bids/store.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { apiKey } from '../../shared/http/operations/api-key.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Returns the ad of a winning bid (api 5.4). The first retrieval charges the impression. */
export default (effects: Effects) => {
  const bids = createBidStore(effects);
  const serve = createServing(effects);
  const withCreative = createCreatives(effects);
  const { toUrls } = createReaderUrls(effects);
  const preload = (c: { req: { param(name: 'bidId'): string } }) => {
    const id = c.req.param('bidId');
    return Promise.all([bids.find(id), toUrls(id)]);
  };

  return createApp('ssp/ad', effects).get(
    toHonoPath('ssp/ad'),
    apiKey(effects, endpoints['ssp/ad'], { preload }),
    async (c) => {
      const [bid, readerUrls] = await c.var.preloaded;
      if (!bid || bid.shown || bid.exchange || bid.keyId !== c.var.key.id)
        throw notFound('ssp', 'Bid not found or expired');
      // Only the key that received the bid may see its click attempts.
      const debug = { campaignId: bid.campaignId, clicks: countAttempts(bid) };
      c.set('debug', debug);
      const serving = await serve(bid);
      if (serving.outcome === 'expired') throw notFound('ssp', 'Bid not found or expired', debug);
      if (serving.outcome === 'campaign_missing') throw notFound('ssp', 'Campaign not found');
      const shown = await withCreative(serving.bid);
      if (!shown) throw notFound('ssp', 'Bid not found or expired');
      return c.json(presentAd(shown, effects.config.baseUrl, readerUrls));
    },
  );
};
