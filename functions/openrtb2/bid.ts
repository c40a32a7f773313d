import { createAuctions } from '../../shared/ads/auctions.ts';
import { toNewBid } from '../../shared/ads/bids/new-bid.ts';
import { createBidStore } from '../../shared/ads/bids/store.ts';
import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { getMember } from '../../shared/ads/conversations/conversation-schema.ts';
import { createImpressionAuctions } from '../../shared/ads/impressions.ts';
import { createCategories } from '../../shared/ads/openrtb/categories.ts';
import { createExchangeTerms } from '../../shared/ads/openrtb/notices.ts';
import {
  exchangeBidRequest,
  getFirstConversationId,
  getTmaxDeadline,
  MAX_IMPRESSIONS,
} from '../../shared/ads/openrtb/openrtb-schema.ts';
import { getCountry, hasUserOptedOut } from '../../shared/ads/openrtb/opportunity.ts';
import { presentExchangeBid } from '../../shared/ads/openrtb/present.ts';
import { getSupplyChain } from '../../shared/ads/openrtb/supply-chain.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { wantsDebug } from '../../shared/http/debug.ts';
import type { AppContext, RequestContext } from '../../shared/http/env.ts';
import { invalid } from '../../shared/http/errors.ts';
import { apiKey } from '../../shared/http/operations/api-key.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { checkBody, jsonBody } from '../../shared/http/validation.ts';
import { OutOfTime } from '../../shared/platform/deadlines.ts';
import type { Effects } from '../../shared/platform/effects.ts';

const row = endpoints['openrtb2/bid'];

/** Bids on the impressions of an exchange's request (api 11.1): at most one bid per impression, 204 without a bid. */
export default (effects: Effects) => {
  const { clock, config, ids, metrics } = effects;
  const auctions = createAuctions(effects);
  const bids = createBidStore(effects);
  const categories = createCategories(getLexicon());
  const holdForImpressions = createImpressionAuctions(effects, auctions, categories);
  const preload = (c: RequestContext, keyId: string) => auctions.read(keyId, c.req.json().then(getFirstConversationId));

  return createApp('openrtb2/bid', effects, answerLate).post(
    toHonoPath('openrtb2/bid'),
    apiKey(effects, row, {
      limitCost: countImpressions,
      adsAsked: countCharged,
      getDeadline: getTmaxDeadline,
      preload,
    }),
    ...jsonBody(row, exchangeBidRequest),
    async (c) => {
      checkVersion(c);
      const { key, noBid } = c.var;
      const reads = await c.var.preloaded;
      const body = c.req.valid('json');
      const debug = wantsDebug(c);
      const { id, owner, bidFloor: floor } = key; // copying the store's whole item is slow
      const seller = { id, owner, mode: body.test === 1 ? ('test' as const) : key.mode };
      const optOut = await hasUserOptedOut(body);
      const { outcomes, explain } = await holdForImpressions(body, { seller, floor, reads, debug });
      if (debug) c.set('debug', await explain());
      throwIfLate(c);
      const stated = { baseUrl: config.baseUrl, cattax: body.cattax ?? 1, categories };
      const issued = outcomes
        .flatMap(({ winner }) => winner ?? [])
        .map(async (winner) => {
          const { conversation, conversationCode, variant } = winner;
          const stored = { conversation, conversationCode, variant, ...(optOut && { optOut }) };
          const terms = { countryCode: getCountry(body), schain: getSupplyChain(body), ...stored };
          const won = toNewBid(winner.candidate, seller, terms);
          const exchange = createExchangeTerms(ids, reads.settings.billing, body.at === 1 ? undefined : winner.floor);
          return presentExchangeBid(winner, await bids.issueForExchange(won, winner.shown, exchange), stated);
        });
      const bidding = await Promise.all(issued);
      throwIfLate(c);
      for (const { reason, auction } of outcomes)
        if (reason) noBid(reason, { asked: body.test === 1 ? 0 : 1, fillsAt: auction?.fillsAt });
      if (bidding.length === 0) return c.body(null, 204);
      metrics.add('Bids', bidding.length);
      return c.json({ id: body.id, cur: 'USD', seatbid: [{ bid: bidding }] });
    },
  );

  /** A bid after the deadline is useless to the exchange: do not store it, and report only the timeout. @throws OutOfTime */
  function throwIfLate(c: RequestContext): void {
    if (clock.now() >= c.var.deadline) throw new OutOfTime('the answer should have left');
  }
};

/** @throws ApiError 400 if the OpenRTB version is not 2.x */
function checkVersion(c: RequestContext): void {
  const version = c.req.header('x-openrtb-version') || '2.6';
  if (!/^2\.\d(-\d{6})?$/.test(version))
    throw invalid('ssp', [{ path: 'x-openrtb-version', message: 'x-openrtb-version must be 2.x, or 2.x-yyyymm' }]);
}

/** After the deadline the response is a no-bid, but invalid input is still rejected. */
async function answerLate(c: AppContext): Promise<Response> {
  await checkBody(c, row.area, exchangeBidRequest);
  checkVersion(c);
  c.var.noBid?.('late', { asked: countCharged(await c.req.json()) });
  c.set('debug', { reason: 'late' });
  return c.body(null, 204);
}

/** The number of impressions in a body, at least one. */
function countImpressions(json: unknown): number {
  const list = getMember(json, 'imp');
  return Math.min(MAX_IMPRESSIONS, Math.max(1, Array.isArray(list) ? list.length : 0));
}

/** Reports leave out test requests. */
const countCharged = (json: unknown): number => (getMember(json, 'test') === 1 ? 0 : countImpressions(json));
