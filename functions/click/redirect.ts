import { clickIdOf, withClickId } from '../../shared/bids/bid.ts';
import { createIsCrawler } from '../../shared/bids/crawlers.ts';
import { disqualify } from '../../shared/bids/genuine.ts';
import { bidStore } from '../../shared/bids/store.ts';
import { redirect } from '../../shared/http/answer.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';

/** Follow a click (contract, section 4.2): counted once if genuine, and in any case on to the landing page. */
export default endpoint('click/redirect', (effects) => {
  const { clock, log } = effects;
  const bids = bidStore(effects);
  const isCrawler = createIsCrawler();

  return {
    async act({ params, method, header, ip }) {
      const click = {
        at: clock.now(),
        userAgent: (header('user-agent') ?? '').slice(0, 512),
        referrer: (header('referer') ?? '').slice(0, 512),
        ip,
        userId: '',
        sessionId: '',
      };
      const visit = await bids.visit(params.trackingId!, click, disqualify(method, header, isCrawler));
      if (visit.outcome === 'unknown') throw notFound('open', 'Ad not found');
      const { bid, reason } = visit;
      log.info('click', {
        ...click,
        campaignId: bid.campaignId,
        impressionId: bid.id,
        bid: bid.price,
        auction: { relevance: bid.relevance, countryCode: bid.countryCode, mode: bid.mode },
        counted: reason === null,
        reason,
      });
      return redirect(withClickId(bid.creative.landingUrl, clickIdOf(bid.id)));
    },
  };
});
