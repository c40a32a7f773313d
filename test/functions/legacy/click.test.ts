import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../shared/platform/clock.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { createLegacyAd, createPublisher } from './legacy.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeEach(() => service.clock.advance(MINUTE_MS));

const GONE = { error: 'Not found', message: 'Ad not found', statusCode: 404 };
const DAY_MS = 24 * 60 * 60 * 1000;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const follow = (ad: { content: { landingUrl: string } }, headers = { 'user-agent': BROWSER }, method = 'GET') =>
  service.call(method, new URL(ad.content.landingUrl).pathname, { headers });

describe('GET /ad-serving/click/{adId}', () => {
  it('returns the landing page with the click id, and the same for every repeat', async () => {
    const { ad, impression, click, figures } = await createLegacyAd(service, 'acacioom');
    await impression(ad.id);
    const first = await click(ad.id);
    const clickId = `clk_${ad.id.replaceAll('-', '')}`;
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      success: true,
      adId: ad.id,
      clickId,
      redirectUrl: `https://shoes.example/buy?ref=ads&click_id=${clickId}`,
      timestamp: new Date(service.clock.now()).toISOString(),
    });
    service.clock.advance(5_000);
    for (let i = 0; i < 3; i++) expect((await click(ad.id)).body).toEqual(first.body);
    await service.stack.drain();
    expect((await figures()).performance).toMatchObject({ impressions: 1, clicks: 1, ctr: 1 });
  });

  it('counts one of 30 concurrent requests', async () => {
    const { ad, click, figures, record } = await createLegacyAd(service, 'begonioom');
    const all = await Promise.all(Array.from({ length: 30 }, () => click(ad.id)));
    expect(new Set(all.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    await service.stack.drain();
    expect((await figures()).performance.clicks).toBe(1);
    expect(await record()).toMatchObject({ genuineVisits: 30 });
  });

  it('counts the same click as the redirect, whichever comes first', async () => {
    const { ad, click, figures } = await createLegacyAd(service, 'cactoom');
    const { status, headers } = await follow(ad);
    const { body } = await click(ad.id);
    expect(status).toBe(302);
    expect(headers.location).toBe(body.redirectUrl);
    await service.stack.drain();
    expect((await figures()).performance.clicks).toBe(1);
  });

  it('counts before an impression, which is charged when it arrives', async () => {
    const { ad, click, impression, figures, record } = await createLegacyAd(service, 'dahlioom');
    await click(ad.id, 'userId=reader-1&sessionId=session-1');
    await service.stack.drain();
    expect(await figures()).toMatchObject({ spentBudget: 0, performance: { impressions: 0, clicks: 1, ctr: 0 } });
    await impression(ad.id);
    await service.stack.drain();
    expect(await figures()).toMatchObject({ spentBudget: 0.004, performance: { impressions: 1, clicks: 1, ctr: 1 } });
    expect(await record()).toMatchObject({
      click: { userId: 'reader-1', sessionId: 'session-1', ip: '203.0.113.0' },
    });
  });

  it.each([
    ['prefetch', { 'user-agent': BROWSER, 'sec-purpose': 'prefetch' }],
    ['bot', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
  ])('responds to a %s, records and logs the reason, and counts nothing', async (reason, headers) => {
    const { ad, click, figures, record } = await createLegacyAd(service, `ericoom${reason}`);
    const invalid = await click(ad.id, '', headers);
    expect(invalid.status).toBe(200);
    expect(await record()).toMatchObject({ [`${reason}Visits`]: 1 });
    expect(await record()).not.toHaveProperty('click');
    const line = JSON.parse(service.lines.findLast((text) => text.includes('"message":"click"'))!);
    expect(line).toMatchObject({ impressionId: `imp_${ad.id.replaceAll('-', '')}`, counted: false, reason });
    const valid = await click(ad.id, '', { 'user-agent': 'curl/8.5.0' });
    expect(valid.body).toMatchObject({ clickId: invalid.body.clickId });
    await service.stack.drain();
    expect((await figures()).performance.clicks).toBe(1);
  });

  it("uses the ad's own creative, whatever happens to its campaign", async () => {
    const { ad, impression, click, campaign } = await createLegacyAd(service, 'freesioom');
    await service.user()('PATCH', `/campaigns/${campaign.id}`, { creative: { landingUrl: 'https://else.example' } });
    expect((await impression(ad.id)).status).toBe(200);
    await service.user()('DELETE', `/campaigns/${campaign.id}`);
    expect((await click(ad.id)).body.redirectUrl).toMatch(/^https:\/\/shoes\.example\/buy\?ref=ads&click_id=/);
    expect((await follow(ad)).status).toBe(302);
  });

  it('works for exactly 90 days, with or without an impression', async () => {
    const { ad, click, impression, request } = await createLegacyAd(service, 'geranioom');
    const unseen = (await request('geranioom')).body.ads[0];
    await impression(ad.id);
    service.clock.advance(89 * DAY_MS);
    for (const one of [ad, unseen]) {
      expect((await click(one.id)).status).toBe(200);
      expect((await follow(one)).status).toBe(302);
    }
    service.clock.advance(DAY_MS);
    for (const one of [ad, unseen]) {
      expect((await click(one.id)).body).toEqual(GONE);
      expect((await follow(one)).status).toBe(404);
    }
    expect((await impression(unseen.id)).body).toEqual(GONE);
  });

  it('accepts an ad only with the key that received it, and rejects bids of the SSP API', async () => {
    const { ad, click, figures } = await createLegacyAd(service, 'heatheroom');
    const key = await service.key();
    const stranger = createPublisher(service, key);
    const { bidId } = (await service.bid(key, 'heatheroom')).body;
    for (const id of [ad.id, bidId, 'x', '__proto__']) expect((await stranger.click(id)).body).toEqual(GONE);
    await service.ad(key, bidId);
    expect((await stranger.click(bidId)).body).toEqual(GONE);
    await service.stack.drain();
    expect((await figures()).performance.clicks).toBe(0);
    expect((await click(ad.id)).status).toBe(200);
  });
});
