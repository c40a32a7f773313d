import { clickIdOf, isClicked, withClickId } from '../../shared/bids/bid.ts';
import { createClickAttempts } from '../../shared/bids/click-attempt.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { tracking } from '../../shared/legacy/schema.ts';
import { isoTime } from '../../shared/platform/clock.ts';

/** Track a click the legacy way (api 6.2): the same click as the redirect's, answered as JSON. */
export default endpoint('legacy/click', (effects) => {
  const attemptClick = createClickAttempts(effects);

  return {
    query: tracking,

    async act({ key, requestId, params, query, method, header, ip }) {
      const attempt = await attemptClick(params.adId, { requestId, method, header, ip, ...query, keyId: key.id });
      if (attempt.outcome === 'unknown') throw notFound('legacy', 'Ad not found');
      const { bid } = attempt;
      const clickId = clickIdOf(bid.id);
      return ok({
        success: true,
        adId: bid.id,
        clickId,
        redirectUrl: withClickId(bid.creative.landingUrl, clickId),
        timestamp: isoTime(isClicked(bid) ? bid.click.at : effects.clock.now()),
      });
    },
  };
});
