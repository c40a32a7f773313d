import { clickIdOf, isServed, withClickId } from '../../shared/bids/bid.ts';
import { createClickAttempts } from '../../shared/bids/click-attempt.ts';
import { createServing } from '../../shared/bids/serve.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { redirect } from '../../shared/http/response.ts';
import { errorOf } from '../../shared/values/typed.ts';

/** How long a reader waits for the charge at most, from the request on. */
const CHARGE_MS = 1_000;

/** Follow the click of an offer: as any other, but that it charges the impression where none was told of (api 11.3). */
export default endpoint('trusted-match/click', (effects) => {
  const { clock, log } = effects;
  const attemptClick = createClickAttempts(effects);
  const serve = createServing(effects);

  return {
    async act({ requestId, params, method, header, ip, startedAt }) {
      const attempt = await attemptClick(params.trackingId, { requestId, method, header, ip, mayCharge: true });
      if (attempt.outcome === 'unknown') throw notFound('open', 'Ad not found');
      const { bid, reason } = attempt;
      const isValid = reason === null || reason === 'repeat';
      if (isValid && bid.exchange?.byClick && !isServed(bid)) {
        try {
          await clock.within(startedAt + CHARGE_MS, () => serve(bid));
        } catch (error) {
          // Whoever clicks is led on all the same, and a repeat charges what this has not.
          log.warn('click not charged', { requestId, cause: errorOf(error).message });
        }
      }
      return redirect(withClickId(bid.creative.landingUrl, clickIdOf(bid.id)));
    },
  };
});
