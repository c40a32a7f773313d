import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../shared/platform/clock.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { createLegacyAd } from '../legacy/legacy.ts';

// @module-tag whole
const service = useServiceInMemory();
const send = (body: object, user = 'alice') => service.user(user)('POST', '/conversions/test', body);
const get = async (id: string) => (await service.user()('GET', `/campaigns/${id}`)).body;
const now = () => new Date(service.clock.now()).toISOString();

describe('POST /conversions/test', () => {
  it('needs no click, counts nowhere, sends no event, and is shown in the status of the campaign', async () => {
    const { id, performance } = await service.campaign();
    expect((await get(id)).conversionStatus).toEqual({ lastConversionAt: null, lastTestAt: null });
    const changes = await service.stack.effects.db.get('ledgers', { campaignId: id, row: 'total' });
    expect(changes).toBeUndefined();
    const test = { campaignId: id, conversionType: ' purchase ', value: 0.1 + 0.2, currency: 'eur' };
    const { status, body } = await send(test);
    const received = { campaignId: id, conversionType: 'purchase', value: 0.3, currency: 'EUR' };
    expect([status, body]).toEqual([200, { ...received, counted: false, createdAt: now() }]);
    const first = now();
    expect((await get(id)).conversionStatus).toEqual({ lastConversionAt: null, lastTestAt: first });
    service.clock.advance(MINUTE_MS);
    expect((await send({ campaignId: id, conversionType: 'x' })).body).toMatchObject({ value: 0, currency: 'USD' });
    await service.stack.drain();
    expect(await get(id)).toMatchObject({ performance, conversionStatus: { lastTestAt: now() } });
    // Nothing but the time is stored.
    const row = await service.stack.effects.db.get('ledgers', { campaignId: id, row: 'total' });
    expect(row).toEqual({ campaignId: id, row: 'total', lastTestConversionAt: service.clock.now() });
  });

  it.each([
    [{ campaignId: undefined }, 'campaignId is required'],
    [{ campaignId: 7 }, 'campaignId must be a string'],
    [{ value: -1 }, 'value must be at least 0'],
    [{ currency: 'EURO' }, 'currency must be an ISO 4217 code such as USD'],
    [{ conversionType: '' }, 'conversionType must be a string of 1 to 100 characters'],
  ])('checks %j like a real conversion', async (change, rule) => {
    const { status, body } = await send({ campaignId: 'cmp_0', conversionType: 'sale', ...change });
    expect([status, body.message]).toEqual([400, rule]);
  });

  it("rejects another owner's campaign, and one that does not exist", async () => {
    const { id } = await service.campaign();
    for (const [campaignId, user] of [
      [id, 'bob'],
      ['cmp_0', 'alice'],
      ['__proto__', 'alice'],
      [`${id}#`, 'alice'],
    ] as const) {
      const { status, body } = await send({ campaignId, conversionType: 'sale' }, user);
      expect([status, body.message]).toEqual([404, 'Campaign not found']);
    }
    expect((await get(id)).conversionStatus.lastTestAt).toBeNull();
  });
});

describe('The status of conversions', () => {
  it('names the last conversion that counts', async () => {
    const { click, impression, ad, campaign } = await createLegacyAd(service, 'statusoom', { conversionWindowDays: 1 });
    await impression(ad.id);
    const { clickId } = (await click(ad.id)).body;
    const convert = () => service.user()('POST', '/conversions', { clickId, conversionType: 'sale' });
    await convert();
    service.clock.advance(MINUTE_MS);
    await convert();
    const last = now();
    await service.stack.drain();
    expect((await get(campaign.id)).conversionStatus).toEqual({ lastConversionAt: last, lastTestAt: null });
    service.clock.advance(24 * 60 * MINUTE_MS);
    expect((await convert()).body.counted).toBe(false);
    await service.stack.drain();
    expect((await get(campaign.id)).conversionStatus.lastConversionAt).toBe(last);
  });
});
