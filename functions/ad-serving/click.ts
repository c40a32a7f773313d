import { clickIdOf, withClickId } from '../../shared/bids/bid.ts';
import { createIsCrawler } from '../../shared/bids/crawlers.ts';
import { disqualify } from '../../shared/bids/genuine.ts';
import { bidStore } from '../../shared/bids/store.ts';
import { isoTime } from '../../shared/clock.ts';
import { ok } from '../../shared/http/answer.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';

/** Track a click the legacy way (contract, section 4.3): the same click as the redirect's, answered as JSON. */
export default endpoint('ad-serving/click', (effects) => {
  const { clock } = effects;
  const bids = bidStore(effects);
  const isCrawler = createIsCrawler();

  return {
    async act({ key, params, query, method, header, ip }) {
      const click = {
        at: clock.now(),
        userAgent: (header('user-agent') ?? '').slice(0, 512),
        referrer: (header('referer') ?? '').slice(0, 512),
        ip,
        userId: query.userId ?? '',
        sessionId: query.sessionId ?? '',
      };
      const visit = await bids.visit(params.adId!, click, disqualify(method, header, isCrawler), key.id);
      if (visit.outcome === 'unknown') throw notFound('legacy', 'Ad not found');
      const clickId = clickIdOf(visit.bid.id);
      return ok({
        success: true,
        adId: visit.bid.id,
        clickId,
        redirectUrl: withClickId(visit.bid.creative.landingUrl, clickId),
        timestamp: isoTime(visit.bid.click?.at ?? click.at),
      });
    },
  };
});
