import { toClickId, withClickId } from '../../shared/ads/bids/bid.ts';
import { createClickAttempts } from '../../shared/ads/bids/click-attempt.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { toVisit } from '../../shared/http/visit.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Redirects a click to the landing page. Only the first valid click of an ad counts. */
export default (effects: Effects) => {
  const attemptClick = createClickAttempts(effects);

  return createApp('click/redirect', effects).get(toHonoPath('click/redirect'), async (c) => {
    const attempt = await attemptClick(c.req.param('trackingId'), toVisit(c));
    if (attempt.outcome === 'unknown') throw notFound('open', 'Ad not found');
    return c.redirect(withClickId(attempt.bid.creative.landingUrl, toClickId(attempt.bid.id)));
  });
};
