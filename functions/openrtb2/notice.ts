import { createIsCrawler } from '../../shared/bids/crawlers.ts';
import { createServing } from '../../shared/bids/serve.ts';
import { bidStore, countNotice } from '../../shared/bids/store.ts';
import { invalidityOf } from '../../shared/bids/validity.ts';
import { charges, clearingPrice, readToken } from '../../shared/exchange/notices.ts';
import { notice } from '../../shared/exchange/schema.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { noContent } from '../../shared/http/response.ts';

/** Take an exchange's notice (api 11.2): the one that the key is billed by charges the impression, once; the others count. */
export default endpoint('openrtb2/notice', (effects) => {
  const bids = bidStore(effects);
  const serve = createServing(effects);
  const isCrawler = createIsCrawler();

  return {
    query: notice,
    preload: ({ token }) => bids.find(readToken(token)?.bidId ?? ''),

    async act({ params, query, method, header, preloaded: bid }) {
      const claim = readToken(params.token);
      if (!claim || !bid?.exchange || !claim.isSignedWith(bid.exchange.secret) || effects.clock.now() >= bid.validUntil)
        throw notFound('open', 'Notice not found or expired');
      // The impression is told from a reader's device, which a crawler or a prefetch of the page may be; the other notices by servers.
      if (claim.notice === 'impression' && invalidityOf(method, header, isCrawler)) return noContent();
      if (charges(claim.notice, bid.exchange)) {
        const serving = await serve({ ...bid, price: clearingPrice(bid, query.price) });
        if (serving.outcome !== 'served') throw notFound('open', 'Notice not found or expired');
      } else {
        await effects.db.write(countNotice(bid.id, claim.notice));
      }
      return noContent();
    },
  };
});
