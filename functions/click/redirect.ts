import { clickIdOf, withClickId } from '../../shared/bids/bid.ts';
import { createClickAttempts } from '../../shared/bids/click-attempt.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { redirect } from '../../shared/http/response.ts';

/** Follow a click: counted once if valid, and in any case on to the landing page. */
export default endpoint('click/redirect', (effects) => {
  const attemptClick = createClickAttempts(effects);

  return {
    async act({ requestId, params, method, header, ip }) {
      const attempt = await attemptClick(params.trackingId, { requestId, method, header, ip });
      if (attempt.outcome === 'unknown') throw notFound('open', 'Ad not found');
      return redirect(withClickId(attempt.bid.creative.landingUrl, clickIdOf(attempt.bid.id)));
    },
  };
});
