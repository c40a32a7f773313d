import { createReaderUrls } from '../../shared/ads/bids/reader-urls.ts';
import { createBidStore } from '../../shared/ads/bids/store.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ASKING_PAGE, PAGE_HEADERS, THANKS_PAGE, wantsPage } from '../../shared/http/feedback-page.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Records that the reader finds an ad not relevant. A GET, which prefetches and scanners also send, only shows a form. */
export default (effects: Effects) => {
  const bids = createBidStore(effects);
  const urls = createReaderUrls(effects);
  const path = toHonoPath('feedback/record');

  async function getBidId(token: string): Promise<string> {
    const bidId = await urls.toBidId('feedback', token);
    if (bidId === undefined) throw notFound('open', 'Ad not found');
    return bidId;
  }

  return createApp('feedback/record', effects)
    .post(path, async (c) => {
      const isRecorded = await bids.recordReport('notRelevant', await getBidId(c.req.param('token')));
      if (!isRecorded) throw notFound('open', 'Ad not found');
      return wantsPage(c.req.header('accept')) ? c.html(THANKS_PAGE, 200, PAGE_HEADERS) : c.body(null, 204);
    })
    .get(path, async (c) => {
      await getBidId(c.req.param('token'));
      return c.html(ASKING_PAGE, 200, PAGE_HEADERS);
    });
};
