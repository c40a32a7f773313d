import { readFileSync } from 'node:fs';
import { type Demand, holdAuction } from '../../shared/ads/auction/auction.ts';
import type { AdSlot } from '../../shared/ads/bids/ad-slots.ts';
import { bidRequest } from '../../shared/ads/bids/bid-schema.ts';
import { toNewBid } from '../../shared/ads/bids/new-bid.ts';
import type { NewBid } from '../../shared/ads/bids/store.ts';
import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { createCategories } from '../../shared/ads/openrtb/categories.ts';
import { auctionImpressions } from '../../shared/ads/openrtb/impressions.ts';
import { createExchangeTerms } from '../../shared/ads/openrtb/notices.ts';
import {
  exchangeBidRequest,
  getFirstConversationId,
  getTmaxDeadline,
} from '../../shared/ads/openrtb/openrtb-schema.ts';
import { getCountry, hasUserOptedOut } from '../../shared/ads/openrtb/opportunity.ts';
import { presentExchangeBid } from '../../shared/ads/openrtb/present.ts';
import { toBiddable } from '../../shared/campaigns/biddable.ts';
import type { Campaign } from '../../shared/campaigns/campaign.ts';
import { getShownCreative } from '../../shared/campaigns/creative-versions.ts';
import { createSpendStats } from '../../shared/campaigns/spend-stats.ts';
import { ignoredFields, knownTo } from '../../shared/http/ignored-fields.ts';
import { systemIds } from '../../shared/platform/ids.ts';
import { micros, toUsd } from '../../shared/platform/values/money.ts';

/** Rounds of `REQUESTS` requests of both kinds; the first rounds only warm up. */
const TURNS = 200;
const COLD_TURNS = 100;
const REQUESTS = 200;

const readBody = (name: string): string => JSON.parse(readFileSync(`events/${name}.json`, 'utf8')).body;

/**
 * Measures the processor time that OpenRTB adds to an SSP bid: parsing the body, auction rules, the ad, its notices, and the response.
 * Excludes matching and the store, and subtracts the equivalent work of an SSP bid.
 * @returns additional processor µs of each round, ascending
 */
export async function measureTranslation(campaign: Campaign, more: object = {}): Promise<number[]> {
  const translate = createTranslation(campaign, JSON.stringify({ ...JSON.parse(readBody('openrtb2/bid')), ...more }));
  const bid = createOwnBid(campaign);
  const beyond: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) beyond.push((await processorUs(translate)) - (await processorUs(bid)));
  return beyond.slice(COLD_TURNS).sort((a, b) => a - b);
}

async function processorUs(act: () => Promise<string>): Promise<number> {
  const before = process.cpuUsage();
  for (let request = 0; request < REQUESTS; request++) await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS;
}

const KEY = { id: 'key', owner: 'publisher', mode: 'live' as const };
const ANYWHERE: AdSlot = { getExclusion: () => null, countRoom: (ads) => ads, getConversationTerms: () => undefined };
const TERMS = { floor: micros(0), adStrictness: 'balanced' as const, random: systemIds.random, debug: false };
const turn = ([first = '']: string[]) => first;

/** Demand with one campaign that matches everything. */
function createDemand(campaign: Campaign): Demand {
  const known = { campaign: toBiddable(campaign), stats: createSpendStats(campaign.id) };
  return {
    find: () => known,
    match(_, { bid }) {
      const [relevance, { id }] = [0.8, campaign];
      const candidate = {
        id,
        relevance,
        bid: bid(id, relevance),
        closeness: 1,
        matched: [],
        outcome: 'match' as const,
        isHeldBack: false,
      };
      return { noBid: null, candidates: [candidate], context: { topics: [], language: 'en' } };
    },
  };
}

/** A stored bid. */
const issued = (bid: NewBid, now: number) => ({
  ...bid,
  id: systemIds.uuid(),
  state: 'issued' as const,
  issuedAt: now,
  validUntil: now + 300_000,
  ttl: 0,
});

function createTranslation(campaign: Campaign, body: string) {
  const categories = createCategories(getLexicon());
  const shown = getShownCreative(campaign);
  const demand = { campaigns: createDemand(campaign), findCreative: async () => shown, breakTie: turn, categories };
  const known = knownTo(exchangeBidRequest);
  return async () => {
    const now = Date.now();
    const json: unknown = JSON.parse(body);
    getFirstConversationId(json);
    getTmaxDeadline(json, now);
    ignoredFields(known, json);
    const request = exchangeBidRequest.parse(json);
    const optOut = await hasUserOptedOut(request);
    const findSlots = async (imps: readonly unknown[]) => imps.map(() => ANYWHERE);
    const outcomes = await auctionImpressions(request, { ...TERMS, now, findSlots }, demand);
    const stated = { baseUrl: 'https://ads.example', cattax: request.cattax ?? 1, categories };
    const bids = outcomes.flatMap(({ winner }) => {
      if (!winner) return [];
      const won = toNewBid(winner.candidate, KEY, { countryCode: getCountry(request), ...(optOut && { optOut }) });
      const exchange = createExchangeTerms(systemIds, 'burl', request.at === 1 ? undefined : winner.floor);
      return presentExchangeBid(winner, issued({ ...won, exchange }, now), stated);
    });
    if (bids.length === 0) throw new Error('no bid to measure');
    return JSON.stringify({ id: request.id, cur: 'USD', seatbid: [{ bid: bids }] });
  };
}

function createOwnBid(campaign: Campaign) {
  const demand = createDemand(campaign);
  const body = readBody('ssp/bid');
  const known = knownTo(bidRequest);
  return async () => {
    const now = Date.now();
    const json: unknown = JSON.parse(body);
    ignoredFields(known, json);
    const { messages, countryCode } = bidRequest.parse(json);
    const { winner } = holdAuction(demand, { ...TERMS, messages, countryCode, now }, turn);
    if (!winner) throw new Error('no bid to measure');
    const bid = issued(toNewBid(winner, KEY, { countryCode }), now);
    return JSON.stringify({ bid: toUsd(bid.price), bidId: bid.id });
  };
}
