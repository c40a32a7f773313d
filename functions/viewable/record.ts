import { createReaderUrls } from '../../shared/ads/bids/reader-urls.ts';
import { createBidStore } from '../../shared/ads/bids/store.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Records that half of an ad was visible for one second. The stream counts the first report of an ad. */
export default (effects: Effects) => {
  const bids = createBidStore(effects);
  const urls = createReaderUrls(effects);

  return createApp('viewable/record', effects).post(toHonoPath('viewable/record'), async (c) => {
    const bidId = await urls.toBidId('viewable', c.req.param('token'));
    const isRecorded = bidId !== undefined && (await bids.recordReport('viewable', bidId));
    if (!isRecorded) throw notFound('open', 'Ad not found');
    return c.body(null, 204);
  });
};
