import { beforeEach, describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';
import { createExchange, imp } from './exchange.ts';

// @module-tag whole
const service = useServiceInMemory();
const { openMarket, sendNotice, getSpend } = createExchange(service);
beforeEach(() => service.clock.advance(1_000));

describe('An OpenRTB notice', () => {
  it('charges once, by default on the billing notice, whatever is repeated or concurrent; the others are counted', async () => {
    const shop = await openMarket();
    const bid = await shop.getBid();
    for (const url of [bid.nurl, bid.lurl, JSON.parse(bid.adm).imptrackers[0]])
      expect((await sendNotice(url)).status).toBe(204);
    expect(await getSpend(shop)).toBe(0);
    const bot = { 'user-agent': 'Googlebot/2.1' }; // the user agent of an exchange's server does not matter
    const responses = await Promise.all(Array.from({ length: 5 }, () => sendNotice(bid.burl, undefined, bot)));
    expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    expect(await getSpend(shop)).toBe(0.004);
    expect((await service.ad(shop.key, bid.id)).status).toBe(404); // not available through the SSP API
  });

  it('charges on the impression if the key is set so, but not for a crawler or a prefetch', async () => {
    const shop = await openMarket({ key: { billing: 'impression' } });
    const bid = await shop.getBid();
    await sendNotice(bid.burl);
    const [pixel] = JSON.parse(bid.adm).imptrackers;
    const bot = { 'user-agent': 'Googlebot/2.1' };
    for (const headers of [bot, { 'sec-purpose': 'prefetch' }])
      expect((await sendNotice(pixel, undefined, headers)).status).toBe(204);
    expect(await getSpend(shop)).toBe(0);
    expect([(await sendNotice(pixel)).status, (await sendNotice(pixel)).status]).toEqual([204, 204]);
    expect(await getSpend(shop)).toBe(0.004);
  });

  it('charges the bid under first price; under second price, the reported price between the floor and the bid', async () => {
    const shop = await openMarket();
    const charged = async (request: object, price?: string) => {
      const before = await getSpend(shop);
      const { burl } = await shop.getBid({ imp: [imp({ bidfloor: 1.5 })], ...request });
      expect((await sendNotice(burl, price)).status).toBe(204);
      return Math.round(((await getSpend(shop)) - before) * 1e6);
    };
    expect(await charged({ at: 1 }, '2')).toBe(4000);
    expect(await charged({ at: 2 }, '2.0005')).toBe(2000);
    expect(await charged({ at: 2 }, '2.5200000000000005')).toBe(2520);
    expect(await charged({}, '0.2')).toBe(1500);
    expect(await charged({}, '99')).toBe(4000);
    for (const price of ['0', '0.0009']) expect(await charged({ imp: [imp()] }, price), price).toBe(1);
    for (const price of [undefined, '', 'free', '-1', '1e3', 'NaN', '1&price=1', '%zz'])
      expect(await charged({}, price), price).toBe(4000);
  });

  it('requires its own signature, is valid as long as the bid, and reveals nothing about other bids', async () => {
    const shop = await openMarket();
    const bid = await shop.getBid();
    const forged = bid.nurl.replace('/notice/n', '/notice/b');
    for (const url of [forged, bid.burl.replace(/.(?=\?)/, '_'), bid.burl.replace(/notice\/.*/, `notice/${bid.id}`)]) {
      const { status, body } = await sendNotice(url);
      expect([status, body.message]).toEqual([404, 'Notice not found or expired']);
    }
    service.clock.advance(300_000);
    expect((await sendNotice(bid.burl)).status).toBe(404);
    expect(await getSpend(shop)).toBe(0);
    service.clock.advance(89 * 86_400_000);
    expect((await service.call('GET', `/api/v1/click/${bid.id}`)).status).toBe(302); // a person is still redirected
  });

  it('charges nothing for a test request, and returns 404 for a campaign with a spent budget', async () => {
    const shop = await openMarket({ campaign: { budget: 0.004 } });
    const tested = await shop.getBid({ test: 1 });
    expect((await sendNotice(tested.burl)).status).toBe(204);
    expect(await getSpend(shop)).toBe(0);
    const [one, other] = [await shop.getBid(), await shop.getBid()];
    expect([(await sendNotice(one.burl)).status, (await sendNotice(other.burl)).status]).toEqual([204, 404]);
    expect(await getSpend(shop)).toBe(0.004);
  });

  it('can arrive after the click, which redirects anyway', async () => {
    const shop = await openMarket();
    const bid = await shop.getBid();
    const click = () => service.call('GET', `/api/v1/click/${bid.id}`);
    const { status, headers } = await click();
    expect([status, headers.location]).toEqual([
      302,
      expect.stringMatching(/^https:\/\/shoes\.example\/buy\?ref=ads&click_id=/),
    ]);
    expect((await sendNotice(bid.burl)).status).toBe(204);
    expect((await click()).status).toBe(302);
    await service.stack.drain();
    const { performance, spentBudget } = (await service.user()('GET', `/campaigns/${shop.campaign.id}`)).body;
    expect([performance.impressions, performance.clicks, spentBudget]).toEqual([1, 1, 0.004]);
  });
});
