import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useService } from './service.ts';

const service = useService();
/** A key of each mode, of the same publisher. */
const keys: Record<'live' | 'test', { id: string; key: string }> = {
  live: { id: '', key: '' },
  test: { id: '', key: '' },
};
let campaignId: string;

beforeAll(async () => {
  for (const mode of ['live', 'test'] as const) {
    keys[mode] = (await service.user('publisher')('POST', '/auth/api-keys', { name: mode, mode })).body;
  }
  campaignId = (await service.campaign()).id;
});
// A key may request 15 bids per second.
beforeEach(() => service.clock.advance(1_000));

/** Requests a bid and its ad, and clicks it, all with one key. */
async function show({ key }: { key: string }) {
  const bid = (await service.bid(key)).body;
  const { status, body: ad } = await service.ad(key, bid.bidId);
  const { headers } = await service.call('GET', new URL(ad.redirectUrl).pathname);
  await service.call('POST', new URL(ad.feedbackUrl).pathname);
  await service.stack.drain();
  return { bid: bid.bid, status, adText: ad.adText, location: new URL(headers.location!) };
}

/** What documents under "Test mode" (docs/publisher.md) say about a key. */
describe('A test key', () => {
  it('gets the same ad at the same price as a live key, and its click leads to the same page', async () => {
    const [live, test] = [await show(keys.live), await show(keys.test)];
    expect(test).toMatchObject({ bid: live.bid, status: 200, adText: live.adText });
    expect(test.location.pathname).toBe(live.location.pathname);
    expect(test.location.searchParams.get('click_id')).toMatch(/^clk_/);
  });

  it('leaves every figure as it is, except its own number of requests and its last use', async () => {
    const figures = async () => {
      const [alice, publisher] = [service.user('alice'), service.user('publisher')];
      const {
        requestCount: _,
        lastUsedAt: __,
        ...key
      } = (await publisher('GET', `/auth/api-keys/${keys.test.id}`)).body;
      return {
        key,
        keys: (await publisher('GET', `/auth/api-keys/${keys.live.id}?report=true`)).body,
        report: (await publisher('GET', `/auth/api-keys/${keys.test.id}/report`)).body,
        earned: (await publisher('GET', '/home')).body.keys,
        campaign: (await alice('GET', `/campaigns/${campaignId}?report=true`)).body,
        spent: (await alice('GET', '/home')).body.campaigns,
      };
    };
    const used = async () => (await service.user('publisher')('GET', `/auth/api-keys/${keys.test.id}`)).body;
    const [before, { requestCount }] = [await figures(), await used()];
    await show(keys.test);
    expect(await figures()).toEqual(before);
    expect(await used()).toMatchObject({
      requestCount: requestCount + 2,
      lastUsedAt: new Date(service.clock.now()).toISOString(),
    });
    await show(keys.live);
    expect(await figures()).not.toEqual(before);
  });

  it('records a conversion of its click without counting it', async () => {
    const { location } = await show(keys.test);
    const body = { clickId: location.searchParams.get('click_id'), conversionType: 'sale', value: 5 };
    const { status, body: conversion } = await service.user('alice')('POST', '/conversions', body);
    expect([status, conversion.counted]).toEqual([201, false]);
  });

  it('has the limits of a live key', async () => {
    const statuses: number[] = [];
    for (let times = 0; times < 16; times++) statuses.push((await service.bid(keys.test.key)).status);
    expect(statuses).toEqual([...Array<number>(15).fill(200), 429]);
  });

  it('stays a test key, whatever is sent or rotated', async () => {
    const publisher = service.user('publisher');
    expect((await publisher('PATCH', `/auth/api-keys/${keys.test.id}`, { mode: 'live' })).body.mode).toBe('test');
    const { body } = await publisher('POST', `/auth/api-keys/${keys.test.id}/rotate`);
    expect(body).toMatchObject({ mode: 'test', key: expect.stringMatching(/^ak_test_/) });
  });
});
