import { isServed, toClickId, withClickId } from '../../shared/ads/bids/bid.ts';
import { createClickAttempts } from '../../shared/ads/bids/click-attempt.ts';
import { createServing } from '../../shared/ads/bids/serve.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { toVisit } from '../../shared/http/visit.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { toError } from '../../shared/platform/values/typed.ts';

/** The longest a user waits for the charge, measured from the start of the request. */
const MAX_CHARGE_MS = 1_000;

/** Redirects the click of an offer (api 11.3). If no impression was reported, the click charges it. */
export default (effects: Effects) => {
  const { clock, log } = effects;
  const attemptClick = createClickAttempts(effects);
  const serve = createServing(effects);

  return createApp('trusted-match/click', effects).get(toHonoPath('trusted-match/click'), async (c) => {
    const attempt = await attemptClick(c.req.param('trackingId'), { ...toVisit(c), mayCharge: true });
    if (attempt.outcome === 'unknown') throw notFound('open', 'Ad not found');
    const { bid, reason } = attempt;
    const isValid = reason === null || reason === 'repeat';
    if (isValid && bid.exchange?.byClick && !isServed(bid)) {
      try {
        await clock.within(c.var.startedAt + MAX_CHARGE_MS, () => serve(bid));
      } catch (error) {
        // Redirect the user anyway. A repeated click charges the impression.
        log.warn('click not charged', { requestId: c.env.requestId, cause: toError(error).message });
      }
    }
    return c.redirect(withClickId(bid.creative.landingUrl, toClickId(bid.id)));
  });
};
