import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { publishSpendStats } from '../../shared/campaigns/publish-stats.ts';
import { utcDay } from '../../shared/platform/clock.ts';
import { fromUsd } from '../../shared/platform/values/money.ts';
import { createBudgetService } from '../memory/service.ts';
import { createCaller, createHandlers } from '../service.ts';
import { type AuctionCase, auctionCase } from './case.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const OWNER = 'alice';
/** Defaults for the campaigns of a case. */
const CAMPAIGN_DEFAULTS = { budget: 10, bidStrategy: 'manual', maxCpb: 4, status: 'active' };
const CREATIVE = { headline: 'Hello', landingUrl: 'https://shop.example' };

/** Starts the service on a database in memory with the campaigns of a case. They are a day old and belong to the publisher. */
async function serve({ now, random, campaigns, history, apiKey }: AuctionCase) {
  const { effects, clock } = createBudgetService('auction');
  const at = Date.parse(now);
  clock.set(at - DAY_MS);
  const ids = { ...effects.ids, random: () => random };
  const handlers = await createHandlers({ ...effects, ids });
  const call = createCaller(() => handlers);
  const post = (path: string, body: unknown, headers: Record<string, string>) =>
    call('POST', `/api/v1${path}`, { headers, body });
  const create = async (path: string, body: object) => {
    const response = await post(path, body, { 'x-user-id': OWNER });
    expect(response).toMatchObject({ status: 201 });
    return response.body;
  };

  for (const campaign of campaigns) {
    const creative = { ...CREATIVE, ...campaign.creative };
    const { id } = await create('/campaigns', { ...CAMPAIGN_DEFAULTS, ...campaign, creative });
    const known = history[campaign.name];
    if (!known) continue;
    const spent = { spent: fromUsd(known.spent), spentToday: fromUsd(known.spentToday), day: utcDay(at) };
    const charged = { chargedClicks: known.clicks, chargedConversions: known.conversions };
    await publishSpendStats(effects, OWNER, { id, ...charged, ...known, ...spent });
  }
  const { key } = await create('/auth/api-keys', { name: 'Publisher', ...apiKey });
  clock.set(at);
  return (path: string, body: unknown) => post(path, body, { 'x-api-key': key, 'x-debug': 'true' });
}

type Auction = AuctionCase['auctions'][number];

interface Candidate {
  campaignId: string;
  name: string;
  outcome: string;
}

/** Holds an auction and returns its result in the format of a case. */
async function hold(send: Awaited<ReturnType<typeof serve>>, { bidRequest, adRequest }: Auction) {
  const { status, headers, body } = bidRequest
    ? await send('/ssp/bid', bidRequest)
    : await send('/ad-serving/request', adRequest);
  expect(status, JSON.stringify(body)).toBe(body?.error === 'No ads available' ? 503 : 200);
  const { campaignId, reason, candidates } = body?.debug ?? JSON.parse(headers['x-debug-info']!);
  const names = new Map((candidates as Candidate[]).map((one) => [one.campaignId, one.name]));
  const losers = (candidates as Candidate[]).filter(({ outcome }) => outcome !== 'won');
  const ads: { campaignId: string; metadata: { bidAmount: number } }[] = body?.ads ?? [];
  return {
    winners: body?.bid
      ? [{ campaign: names.get(campaignId), bid: body.bid }]
      : ads.map(({ campaignId, metadata }) => ({ campaign: names.get(campaignId), bid: metadata.bidAmount })),
    losers: Object.fromEntries(losers.map(({ name, outcome }) => [name, outcome])),
    ...(reason && { noBid: reason }),
  };
}

/** The expected result of an auction. A range matches any bid from `from` to `to`. */
const expected = ({ expect: { winners, ...more } }: Auction) => ({
  ...more,
  winners: winners.map(({ campaign, bid }) => ({
    campaign,
    bid: typeof bid === 'number' ? bid : expect.toSatisfy((actual: number) => actual >= bid.from && actual <= bid.to),
  })),
});

function read(json: unknown): AuctionCase {
  const { success, data, error } = auctionCase.safeParse(json);
  if (!success) throw new Error(z.prettifyError(error));
  return data;
}

describe('auction cases', () => {
  for (const file of globSync(`${import.meta.dirname}/*.json`).sort()) {
    it(basename(file, '.json').replaceAll('-', ' '), async () => {
      const one = read(JSON.parse(readFileSync(file, 'utf8')));
      const send = await serve(one);
      for (const [index, auction] of one.auctions.entries()) {
        expect(await hold(send, auction), `${one.about} (auction ${index + 1})`).toEqual(expected(auction));
      }
    });
  }
});

describe('auctionCase', () => {
  const message = { role: 'user', content: 'hello' };
  const auction = {
    bidRequest: { countryCode: 'US', messages: [message] },
    expect: { winners: [], noBid: 'no_match' },
  };
  const fine = { about: 'x', campaigns: [{ name: 'A' }], auctions: [auction] };

  it('accepts the format of the README', () => expect(read(fine)).toMatchObject(fine));

  it.each([
    ['capmaigns', { ...fine, capmaigns: [] }],
    ['keyword', { ...fine, campaigns: [{ name: 'A', targetAudience: { keyword: ['x'] } }] }],
    ['spend', { ...fine, history: { A: { spend: 1 } } }],
    ['floor', { ...fine, apiKey: { floor: 1 } }],
    ['text', { ...fine, auctions: [{ ...auction, bidRequest: { ...auction.bidRequest, text: 'x' } }] }],
    [
      'messages.0.contents',
      {
        ...fine,
        auctions: [{ ...auction, bidRequest: { ...auction.bidRequest, messages: [{ ...message, contents: 'x' }] } }],
      },
    ],
    ['winner', { ...fine, auctions: [{ ...auction, expect: { ...auction.expect, winner: 'A' } }] }],
    ['either winners or noBid', { ...fine, auctions: [{ ...auction, expect: { winners: [] } }] }],
    ['history of B', { ...fine, history: { B: {} } }],
  ])('rejects an unknown or inconsistent field by name: %s', (field, json) => {
    expect(() => read(json)).toThrow(field);
  });
});
