import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import {
  type Ad,
  AdsError,
  type ApiKey,
  type Bid,
  type Campaign,
  type Client,
  type ConversationMessage,
  type Conversion,
  createClient,
  type Result,
  type Route,
  type Webhook,
} from '../../../packages/client/src/index.ts';
import { runningShoes, useService } from '../../service.ts';

const service = useService();
let server: Server;
let baseUrl: string;
let advertiser: Client;
let publisher: Client;

beforeAll(async () => {
  server = createGateway(service.stack.apps);
  baseUrl = `http://localhost:${await listen(server, 0)}`;
  advertiser = createClient({ baseUrl, userId: 'alice' });
  publisher = createClient({ baseUrl, apiKey: await service.key(), debug: true });
});
afterAll(() => server.close());

describe('The typed client', () => {
  it('supports the main flow: campaign, bid, ad, click, report', async () => {
    const { id } = await advertiser('POST /api/v1/campaigns', { body: runningShoes() as { name: string } });
    const messages: ConversationMessage[] = [{ role: 'user', content: 'Which running shoes should I buy?' }];
    const bid = await publisher('POST /api/v1/ssp/bid', { body: { countryCode: 'US', messages } });
    expect(bid).toMatchObject({ bid: 4, debug: { campaignId: id } });
    const ad = await publisher('GET /api/v1/ssp/ad/{bidId}', { params: { bidId: bid!.bidId } });
    const trackingId = ad.redirectUrl.split('/').at(-1)!;
    expect(await publisher('GET /api/v1/click/{trackingId}', { params: { trackingId } })).toBeUndefined();
    await service.stack.drain();
    const days = await advertiser('GET /api/v1/campaigns/{id}/report', {
      params: { id },
      query: { from: '2026-11-20', to: '2026-11-20' },
    });
    expect(days).toEqual([
      {
        date: '2026-11-20',
        impressions: 1,
        clicks: 1,
        conversions: 0,
        spend: 0.004,
        conversionValue: 0,
        notRelevant: 0,
        viewableImpressions: 0,
        suspectClicks: { tooFast: 1, tooMany: 0 },
      },
    ]);
    expect(await advertiser('GET /api/v1/campaigns', { query: { limit: 1, status: undefined } })).toHaveLength(1);
  });

  it('returns undefined for a HEAD request', async () => {
    expect(await publisher('GET /api/v1/health')).toMatchObject({ status: 'ok' });
    expect(await publisher('HEAD /api/v1/health')).toBeUndefined();
  });

  it('iterates over a list page by page, and returns a report as CSV', async () => {
    const lister = createClient({ baseUrl: `${baseUrl}/`, userId: 'lister' });
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await lister('POST /api/v1/campaigns', { body: { name } });
    const seen: { id: string; name: string }[] = [];
    for await (const campaign of lister.list('GET /api/v1/campaigns', { query: { limit: 2 } })) seen.push(campaign);
    expect(seen.map(({ name }) => name)).toEqual(names);
    const days = { from: '2026-11-20', to: '2026-11-20' };
    const csv = await lister.csv('GET /api/v1/campaigns/{id}/report', { params: { id: seen[0]!.id }, query: days });
    expect(csv.split(/\r?\n/).slice(0, 2)).toEqual([
      'date,impressions,clicks,conversions,spend,conversionValue,notRelevant,viewableImpressions,suspectClicks.tooFast,suspectClicks.tooMany',
      expect.stringMatching(/^2026-11-20,0,0,0,0/),
    ]);
  });

  it('continues after a page with fewer items than its limit', async () => {
    const oneByOne = createClient({
      baseUrl,
      fetch: async (url) => {
        const offset = Number(new URL(String(url)).searchParams.get('offset'));
        const page = ['a', 'b', 'c'].slice(offset, offset + 1).map((name) => ({ name }));
        return Response.json(page, { headers: { 'x-total-count': '3' } });
      },
    });
    const seen: string[] = [];
    for await (const { name } of oneByOne.list('GET /api/v1/campaigns', { query: { limit: 2 } })) seen.push(name);
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it('creates one resource if the response is lost, and reports a lost secret', async () => {
    let isLost = true;
    const unlucky = createClient({
      baseUrl,
      userId: 'unlucky',
      random: () => 0,
      async fetch(url, init) {
        const response = await fetch(url, init);
        isLost = !isLost;
        if (!isLost) throw new TypeError('fetch failed');
        return response;
      },
    });
    const { id } = await unlucky('POST /api/v1/campaigns', { body: { name: 'One' } });
    expect((await unlucky('GET /api/v1/campaigns')).map((campaign) => campaign.id)).toEqual([id]);
    const lost = await unlucky('POST /api/v1/auth/api-keys', { body: { name: 'One' } }).catch((error) => error);
    const keys = await unlucky('GET /api/v1/auth/api-keys');
    expect(keys).toHaveLength(1);
    expect(lost).toMatchObject({ code: 'secret_lost', message: expect.stringContaining(`${keys[0]!.id} was created`) });

    const rotate = 'POST /api/v1/auth/api-keys/{id}/rotate';
    const params = { id: keys[0]!.id };
    const again = await unlucky(rotate, { params }, { idempotencyKey: 'r1' });
    expect(again).toMatchObject({ key: expect.stringContaining('****'), oldKeysUntil: [expect.any(String)] });
    await expect(unlucky(rotate, { params })).rejects.toMatchObject({ code: 'network' });
  });

  it("throws an error with the service's message", async () => {
    const refusal = await advertiser('POST /api/v1/campaigns', { body: { name: ' ' } }).catch((error) => error);
    expect(refusal).toBeInstanceOf(AdsError);
    expect(refusal).toMatchObject({
      status: 400,
      code: 'invalid',
      error: 'Validation failed',
      message: 'Campaign name is required',
      details: [{ path: 'name', message: 'Campaign name is required' }],
      requestId: expect.any(String),
    });
  });

  it('keeps a hostile ID inside its path segment', async () => {
    const refusal = await advertiser('GET /api/v1/campaigns/{id}', { params: { id: '../health?x=1' } }).catch((e) => e);
    expect(refusal).toMatchObject({ status: 404, message: 'Campaign not found' });
  });

  it('derives its types from the operation table', () => {
    expectTypeOf<'POST /api/v1/ssp/bid'>().toExtend<Route>();
    expectTypeOf<Result<'GET /api/v1/health'>>().toEqualTypeOf<{ status: 'ok' }>();
    expectTypeOf<Result<'HEAD /api/v1/health'>>().toEqualTypeOf<undefined>();
    expectTypeOf<Result<'POST /api/v1/ssp/bid'>>().toEqualTypeOf<Bid | null>();
    expectTypeOf<ConversationMessage>().toEqualTypeOf<{ role: 'user' | 'assistant'; content: string }>();
    expectTypeOf<Ad>().toHaveProperty('redirectUrl').toEqualTypeOf<string>();
    expectTypeOf<Campaign>().toHaveProperty('spentBudget').toEqualTypeOf<number>();
    expectTypeOf<ApiKey>().toHaveProperty('requestCount').toEqualTypeOf<number>();
    expectTypeOf<Webhook>().toHaveProperty('url').toEqualTypeOf<string>();
    expectTypeOf<Conversion>().toHaveProperty('clickId').toEqualTypeOf<string>();
    expectTypeOf<Result<'GET /api/v1/campaigns'>>().items.toHaveProperty('spentBudget').toEqualTypeOf<number>();
    // @ts-expect-error this operation does not exist
    void (() => advertiser('PUT /api/v1/campaigns'));
    // @ts-expect-error the path variable is missing
    void (() => advertiser('GET /api/v1/campaigns/{id}'));
  });
});
