import { presentAd } from '../../shared/bids/ad.ts';
import { createCreatives } from '../../shared/bids/creatives.ts';
import { createServing } from '../../shared/bids/serve.ts';
import { bidStore } from '../../shared/bids/store.ts';
import { attemptsOf } from '../../shared/bids/validity.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';

/** Get ad (api 5.4): a won bid in, its ad out; the first retrieval charges the impression. */
export default endpoint('ssp/ad', (effects) => {
  const bids = bidStore(effects);
  const serve = createServing(effects);
  const withCreative = createCreatives(effects);

  return {
    preload: ({ bidId }) => bids.find(bidId),

    async act({ key, preloaded: bid }) {
      if (!bid || bid.shown || bid.exchange || bid.keyId !== key.id) throw notFound('ssp', 'Bid not found or expired');
      // The bid's own key has proved itself: nobody else is told what became of the clicks.
      const debug = { campaignId: bid.campaignId, clicks: attemptsOf(bid) };
      const serving = await serve(bid);
      if (serving.outcome === 'expired') throw notFound('ssp', 'Bid not found or expired', debug);
      if (serving.outcome === 'campaign_missing') throw notFound('ssp', 'Campaign not found');
      const shown = await withCreative(serving.bid);
      if (!shown) throw notFound('ssp', 'Bid not found or expired');
      return ok(presentAd(shown, effects.config.baseUrl), debug);
    },
  };
});
