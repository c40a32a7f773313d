import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../shared/platform/clock.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { createLegacyAd, createPublisher } from './legacy.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeEach(() => service.clock.advance(MINUTE_MS));

const GONE = { error: 'Not found', message: 'Ad not found', statusCode: 404 };
const HOUR_MS = 60 * 60 * 1000;

describe('GET /ad-serving/impression/{adId}', () => {
  it('charges the first request and returns the same ids for every repeat', async () => {
    const { ad, impression, figures } = await createLegacyAd(service, 'alfalfoom', { maxCpb: 4.567 });
    expect((await figures()).spentBudget).toBe(0);
    const first = await impression(ad.id);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      success: true,
      adId: ad.id,
      impressionId: `imp_${ad.id.replaceAll('-', '')}`,
      timestamp: new Date(service.clock.now()).toISOString(),
    });
    service.clock.advance(25 * HOUR_MS);
    expect((await impression(ad.id, 'userId=somebody-else')).body).toEqual(first.body);
    expect(await figures()).toMatchObject({
      spentBudget: 0.004567,
      performance: { impressions: 1, averageCpb: 4.567, ctr: 0 },
    });
  });

  it('charges one of 30 concurrent requests', async () => {
    const { ad, impression, figures } = await createLegacyAd(service, 'bamboom');
    const all = await Promise.all(Array.from({ length: 30 }, (_, i) => impression(ad.id, `userId=reader-${i}`)));
    expect(new Set(all.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(all[0]!.status).toBe(200);
    await service.stack.drain();
    expect(await figures()).toMatchObject({ spentBudget: 0.004, performance: { impressions: 1 } });
  });

  it('charges what is left for the last impression, pauses the campaign, and returns 404 for further ads', async () => {
    const { impression, request, figures } = await createLegacyAd(service, 'clovoom', { budget: 0.01 });
    const ads = [];
    for (let i = 0; i < 5; i++) ads.push((await request('clovoom')).body.ads[0].id);
    const statuses = await Promise.all(ads.map(async (id) => (await impression(id)).status));
    expect(statuses.sort()).toEqual([200, 200, 200, 404, 404]);
    expect(await figures()).toMatchObject({ spentBudget: 0.01, status: 'paused', pausedReason: 'budget' });
    expect((await request('clovoom')).status).toBe(503);
  });

  it('accepts an impression for a day after the request, to the millisecond', async () => {
    const { ad, impression, request, figures } = await createLegacyAd(service, 'dilloom');
    const other = (await request('dilloom')).body.ads[0].id;
    service.clock.advance(24 * HOUR_MS - 1);
    expect((await impression(ad.id)).status).toBe(200);
    service.clock.advance(1);
    expect((await impression(other)).body).toEqual(GONE);
    expect((await figures()).spentBudget).toBe(0.004);
  });

  it.each([
    ['paused', { status: 'paused' }, 200],
    ['cancelled', { status: 'cancelled' }, 404],
    ['completed', { status: 'completed' }, 404],
  ])('responds for a campaign that was %s in the meantime', async (what, change, status) => {
    const { ad, impression, campaign, figures } = await createLegacyAd(service, `endivoom${what}`);
    await service.user()('PATCH', `/campaigns/${campaign.id}`, change);
    expect((await impression(ad.id)).status).toBe(status);
    expect((await figures()).spentBudget).toBe(status === 200 ? 0.004 : 0);
  });

  it('returns 404 for a deleted campaign, without a charge or an event', async () => {
    const { ad, impression, campaign, record } = await createLegacyAd(service, 'fenneloom');
    await service.user()('DELETE', `/campaigns/${campaign.id}`);
    expect((await impression(ad.id)).body).toEqual(GONE);
    expect(await record()).toMatchObject({ state: 'issued' });
  });

  it('charges the price of the auction, whatever the campaign bids since', async () => {
    const { ad, impression, campaign, figures } = await createLegacyAd(service, 'gingeroom');
    await service.user()('PATCH', `/campaigns/${campaign.id}`, { maxCpb: 9 });
    await impression(ad.id);
    expect((await figures()).spentBudget).toBe(0.004);
  });

  it('accepts an ad only with the key that received it, and rejects bids of the SSP API', async () => {
    const { ad, impression } = await createLegacyAd(service, 'hyssoom');
    const key = await service.key();
    const stranger = createPublisher(service, key);
    const { bidId } = (await service.bid(key, 'hyssoom')).body;
    for (const id of [ad.id, bidId, 'x', ad.id.toUpperCase(), '__proto__']) {
      const { status, body } = await stranger.impression(id);
      expect([status, body]).toEqual([404, GONE]);
    }
    await service.ad(key, bidId);
    expect((await stranger.impression(bidId)).status).toBe(404);
    expect((await service.ad(key, ad.id)).status).toBe(404);
    expect((await impression(ad.id)).status).toBe(200);
  });

  it('stores the user of the impression, or else of the request', async () => {
    const { impression, request } = await createLegacyAd(service, 'irisoom');
    const metadata = { userId: 'reader-1', sessionId: 'session-1' };
    const shown = async (query: string) => {
      const { id } = (await request('irisoom', { context: { metadata } })).body.ads[0];
      expect((await impression(id, query)).status).toBe(200);
      return (await service.stack.effects.db.get('bids', { id }))!.shown;
    };
    expect(await shown('')).toMatchObject(metadata);
    expect(await shown('userId=&sessionId=')).toMatchObject(metadata);
    expect(await shown('userId=reader-2&sessionId=session-2')).toMatchObject({
      userId: 'reader-2',
      sessionId: 'session-2',
      conversation: 'irisoom',
    });
  });

  it('charges and counts nothing in test mode', async () => {
    const { ad, impression, click, figures, record } = await createLegacyAd(service, 'jasminoom', {}, { mode: 'test' });
    expect((await impression(ad.id)).status).toBe(200);
    expect((await click(ad.id)).status).toBe(200);
    await service.stack.drain();
    expect(await record()).toMatchObject({ mode: 'test', state: 'served', charged: 0 });
    expect(await figures()).toMatchObject({
      spentBudget: 0,
      performance: { impressions: 0, clicks: 0, conversions: 0 },
    });
  });
});

describe('The query of a tracking operation', () => {
  it.each([
    'timestamp=yesterday',
    'timestamp=2026-02-30T00:00:00Z',
    'timestamp=',
    'timestamp=1795165200',
    'timestamp=2026-11-20T09:00:00Z&timestamp=2026-11-20T09:00:00Z',
    `userId=${'x'.repeat(129)}&sessionId=${'x'.repeat(129)}`,
    'userId=a&userId=b&sessionId=a&sessionId=b',
    'api_key=a&api_key=b',
  ])('tracks the impression and the click if the query is invalid: %.60s', async (query) => {
    const noUser = { userId: '', sessionId: '' };
    const word = `kaloom${query.replace(/\W/g, '').slice(0, 40)}`;
    const { ad, impression, click, figures, record } = await createLegacyAd(service, word);
    expect((await impression(ad.id, query)).status).toBe(200);
    expect((await click(ad.id, query)).status).toBe(200);
    expect(await record()).toMatchObject({ shown: noUser, click: noUser });
    await service.stack.drain();
    expect((await figures()).performance).toMatchObject({ impressions: 1, clicks: 1 });
  });

  it.each([
    `userId=${'x'.repeat(128)}&sessionId=${encodeURIComponent('жук €')}`,
    'timestamp=2026-11-20T09:00:00Z',
    'timestamp=2026-11-20T09:00:00.123%2B01:00',
    'timestamp=2026-11-20T09:00:00',
    'unknown=1&__proto__=x&constructor=y',
    '%',
  ])('stores %s', async (query) => {
    const { ad, impression, click } = await createLegacyAd(service, `leekoom${query.replace(/\W/g, '').slice(0, 40)}`);
    expect((await impression(ad.id, query)).status).toBe(200);
    expect((await click(ad.id, query)).status).toBe(200);
  });
});
