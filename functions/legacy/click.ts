import { isClicked, toClickId, withClickId } from '../../shared/ads/bids/bid.ts';
import { createClickAttempts } from '../../shared/ads/bids/click-attempt.ts';
import { tracking } from '../../shared/ads/legacy/legacy-schema.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { legacyKey } from '../../shared/http/operations/api-key.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { query } from '../../shared/http/validation.ts';
import { toVisit } from '../../shared/http/visit.ts';
import { isoTime } from '../../shared/platform/clock.ts';
import type { Effects } from '../../shared/platform/effects.ts';

const row = endpoints['legacy/click'];

/** Tracks a click of a legacy ad (api 6.2). Counts like the redirect, but responds with JSON. */
export default (effects: Effects) => {
  const attemptClick = createClickAttempts(effects);

  return createApp('legacy/click', effects).get(
    toHonoPath('legacy/click'),
    legacyKey(effects, row),
    query(row, tracking),
    async (c) => {
      const visit = { ...toVisit(c), ...c.req.valid('query'), keyId: c.var.key.id };
      const attempt = await attemptClick(c.req.param('adId'), visit);
      if (attempt.outcome === 'unknown') throw notFound('legacy', 'Ad not found');
      const { bid } = attempt;
      const clickId = toClickId(bid.id);
      return c.json({
        success: true,
        adId: bid.id,
        clickId,
        redirectUrl: withClickId(bid.creative.landingUrl, clickId),
        timestamp: isoTime(isClicked(bid) ? bid.click.at : effects.clock.now()),
      });
    },
  );
};
