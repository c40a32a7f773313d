import { beforeEach, describe, expect, it } from 'vitest';
import { loadWorker } from '../../../infra/local/functions.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/platform/clock.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { streamRecord } from '../../stream-record.ts';
import { createLegacyAd } from '../legacy/legacy.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeEach(() => service.clock.advance(MINUTE_MS));

const convert = (body: object, user = 'alice') => service.user(user)('POST', '/conversions', body);
const NOT_FOUND = { error: 'Not found', message: 'Click not found', statusCode: 404 };
const today = () => new Date(service.clock.now()).toISOString().slice(0, 10);

/** A legacy ad with a click. */
async function clicked(word: string, campaign: object = {}, key: object = {}, query = '') {
  const ad = await createLegacyAd(service, word, campaign, key);
  await ad.impression(ad.ad.id);
  const { clickId } = (await ad.click(ad.ad.id, query)).body;
  const performance = async () => (await ad.figures()).performance;
  const report = async () => {
    const { body } = await service.user()('GET', `/campaigns/${ad.campaign.id}/report`);
    return (Array.isArray(body) ? body : body.days).at(-1);
  };
  return { ...ad, clickId, performance, report };
}

describe('POST /conversions', () => {
  it('returns 201 with the record and counts it', async () => {
    const { clickId, campaign, performance, report } = await clicked('almondoom');
    const body = { clickId, conversionType: 'purchase', value: 89.9, currency: 'eur', conversionId: 'order-1' };
    const sent = await convert(body);
    expect(sent.status).toBe(201);
    expect(sent.body).toEqual({
      conversionId: 'order-1',
      clickId,
      campaignId: campaign.id,
      conversionType: 'purchase',
      value: 89.9,
      currency: 'EUR',
      counted: true,
      createdAt: new Date(service.clock.now()).toISOString(),
    });
    await service.stack.drain();
    expect(await performance()).toMatchObject({ impressions: 1, clicks: 1, conversions: 1, ctr: 1 });
    expect(await report()).toEqual({
      date: today(),
      impressions: 1,
      clicks: 1,
      conversions: 1,
      spend: 0.004,
      conversionValue: 0,
      notRelevant: 0,
      viewableImpressions: 0,
      suspectClicks: { tooFast: 0, tooMany: 0 },
    });
  });

  it('requires only a click and a type, and treats each request without an id as a new conversion', async () => {
    const { clickId, performance } = await clicked('barleyoom');
    const first = await convert({ clickId, conversionType: ' signup ' });
    const second = await convert({
      clickId,
      conversionType: 'signup',
      value: null,
      currency: null,
      conversionId: null,
    });
    expect(first.body).toMatchObject({ conversionType: 'signup', value: 0, currency: 'USD' });
    expect(first.body.conversionId).toMatch(/^cnv_[0-9A-Za-z]{20}$/);
    expect(second.body.conversionId).not.toBe(first.body.conversionId);
    await service.stack.drain();
    expect((await performance()).conversions).toBe(2);
  });

  it('returns 200 with the original record for a repeated id, whatever else the body contains', async () => {
    const { clickId, performance } = await clicked('carobom');
    const first = await convert({ clickId, conversionType: 'purchase', value: 10, conversionId: '__proto__' });
    service.clock.advance(60_000);
    await service.stack.drain(); // the mark of the count is not part of the record
    const again = await convert({ clickId, conversionType: 'refund', value: 99, conversionId: '__proto__' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    await service.stack.drain();
    expect((await performance()).conversions).toBe(1);
  });

  it('returns one 201 and nineteen 200 with the same record for twenty concurrent requests', async () => {
    const { clickId, performance } = await clicked('durumoom');
    const bodies = Array.from({ length: 20 }, (_, value) => ({
      clickId,
      conversionType: 'sale',
      value,
      conversionId: 'o-2',
    }));
    const all = await Promise.all(bodies.map((body) => convert(body)));
    expect(all.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(all.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    await service.stack.drain();
    expect((await performance()).conversions).toBe(1);
  });

  it('keeps the conversion ids of users apart', async () => {
    const { clickId } = await clicked('emmeroom');
    await convert({ clickId, conversionType: 'sale', conversionId: 'shared-id' });
    const keyed = await service.key();
    const other = await service.campaign({ targetAudience: { keywords: ['fonioom'] } }, 'bob');
    const { bidId } = (await service.bid(keyed, 'fonioom')).body;
    await service.ad(keyed, bidId);
    const { headers } = await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'curl/8' } });
    const theirs = new URL(headers.location!).searchParams.get('click_id');
    const { status, body } = await convert(
      { clickId: theirs, conversionType: 'sale', conversionId: 'shared-id' },
      'bob',
    );
    expect([status, body.campaignId]).toEqual([201, other.id]);
  });

  it("rejects clicks that do not exist, were not valid, or belong to another owner's campaign", async () => {
    const { clickId } = await clicked('grainoom');
    const { ad, click } = await createLegacyAd(service, 'hempoom');
    await click(ad.id, '', { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' });
    const invalid = `clk_${ad.id.replaceAll('-', '')}`;
    const none = [
      invalid,
      '',
      'x',
      'clk_',
      ad.id,
      '__proto__',
      `clk_${'0'.repeat(32)}`,
      clickId.toUpperCase(),
      ` ${clickId}`,
    ];
    for (const id of none) {
      const { status, body } = await convert({ clickId: id, conversionType: 'sale' });
      expect([id, status, body]).toEqual([id, 404, NOT_FOUND]);
    }
    for (const user of ['bob', 'publisher']) {
      expect((await convert({ clickId, conversionType: 'sale' }, user)).body).toEqual(NOT_FOUND);
    }
    expect((await convert({ clickId, conversionType: 'sale' })).status).toBe(201);
  });

  it('records a test-mode conversion without counting it or sending an event', async () => {
    const { clickId, performance } = await clicked('indigoom', {}, { mode: 'test' });
    const { status, body } = await convert({ clickId, conversionType: 'sale', value: 5 });
    expect([status, body.counted]).toEqual([201, false]);
    await service.stack.drain();
    expect(await performance()).toMatchObject({ impressions: 0, clicks: 0, conversions: 0, conversionValue: 0 });
  });

  it('stores the user id of the click, or else of the impression or the request', async () => {
    const named = async (word: string, query: string) => {
      const { clickId } = await clicked(word, {}, {}, query);
      const { conversionId } = (await convert({ clickId, conversionType: 'sale' })).body;
      return (await service.stack.effects.db.get('conversions', { owner: 'alice', conversionId }))!.userId;
    };
    expect(await named('jadeoom', 'userId=reader-9')).toBe('reader-9');
    expect(await named('kelpoom', '')).toBe('');
    const { request, impression } = await createLegacyAd(service, 'lotusoom');
    const { id, content } = (await request('lotusoom', { context: { metadata: { userId: 'reader-7' } } })).body.ads[0];
    await impression(id);
    await service.call('GET', new URL(content.landingUrl).pathname, { headers: { 'user-agent': 'curl/8' } });
    const { conversionId } = (await convert({ clickId: `clk_${id.replaceAll('-', '')}`, conversionType: 'x' })).body;
    const record = await service.stack.effects.db.get('conversions', { owner: 'alice', conversionId });
    expect(record).toMatchObject({ userId: 'reader-7', keyOwner: 'publisher' });
  });

  it.each<[object, string]>([
    [{ clickId: undefined }, 'clickId is required'],
    [{ clickId: 7 }, 'clickId must be a string'],
    [{ conversionType: undefined }, 'conversionType is required: a string of 1 to 100 characters'],
    [{ conversionType: '  ' }, 'conversionType must be a string of 1 to 100 characters'],
    [{ conversionType: '\u200b' }, 'conversionType must be a string of 1 to 100 characters'],
    [{ conversionId: '\u2800' }, 'conversionId must be a string of 1 to 128 characters'],
    [{ conversionType: 'x'.repeat(101) }, 'conversionType must be a string of 1 to 100 characters'],
    [{ conversionId: '' }, 'conversionId must be a string of 1 to 128 characters'],
    [{ conversionId: 'x'.repeat(129) }, 'conversionId must be a string of 1 to 128 characters'],
    [{ value: -1 }, 'value must be at least 0'],
    [{ value: '1' }, 'value must be a number'],
    [{ value: 1_000_000_001 }, 'value must be at most 1,000,000,000'],
    [{ currency: 'EURO' }, 'currency must be an ISO 4217 code such as USD'],
    [{ currency: 'ßx' }, 'currency must be an ISO 4217 code such as USD'],
  ])('rejects %j', async (change, rule) => {
    const valid = { clickId: `clk_${'0'.repeat(32)}`, conversionType: 'sale' };
    const { status, body } = await convert({ ...valid, ...change });
    expect([status, body.error, body.message]).toEqual([400, 'Validation failed', rule]);
  });

  it.each([
    [0.1 + 0.2, 0.3],
    [5e-324, 0],
    [1e-7, 0],
    [999_999_999.999999, 999_999_999.999999],
    [1_000_000_000, 1_000_000_000],
  ])('stores the value %d as %d', async (value, kept) => {
    const { clickId } = await clicked(`millet${String(value).replace(/\W/g, '')}oom`);
    const conversionId = '€'.repeat(128);
    const { status, body } = await convert({
      clickId,
      conversionType: 'sale',
      value,
      conversionId: `${value}${conversionId}`.slice(0, 128),
    });
    expect([status, body.value]).toEqual([201, kept]);
  });

  it('requires a user', async () => {
    const { status, body } = await service.call('POST', '/api/v1/conversions', { body: {} });
    expect([status, body.message]).toEqual([401, 'User ID is required']);
  });
});

describe('The value of conversions', () => {
  it('is summed in USD by campaign and day, with the cost per conversion and the return on spend', async () => {
    const { clickId, performance, report } = await clicked('valueoom');
    const sale = (value: number | undefined, currency?: string) =>
      convert({ clickId, conversionType: 'sale', value, currency });
    await Promise.all([sale(0.1), sale(0.2), sale(undefined), sale(19.5, 'usd'), sale(1_000, 'EUR')]);
    await service.stack.drain();
    const spend = 0.004;
    expect(await performance()).toMatchObject({
      conversions: 5,
      conversionValue: 19.8,
      costPerConversion: spend / 5,
      returnOnSpend: 19.8 / spend,
    });
    expect(await report()).toMatchObject({ conversions: 5, conversionValue: 19.8, spend });
  });

  it('counts up to a million USD of each, and is stored whole', async () => {
    const { clickId, performance } = await clicked('millionoom');
    const { body } = await convert({ clickId, conversionType: 'sale', value: 1_000_000_000 });
    await convert({ clickId, conversionType: 'sale', value: 1 });
    await service.stack.drain();
    expect(body.value).toBe(1_000_000_000);
    expect((await performance()).conversionValue).toBe(1_000_001);
  });

  it('stops at the largest number, and the campaign remains readable', async () => {
    const { clickId, performance, report, campaign } = await clicked('hugeoom');
    const huge = { conversionValue: 9_007_199_254_000_000, conversionValue_20261120: 9_007_199_254_000_000 };
    expect(today()).toBe('2026-11-20');
    const key = { campaignId: campaign.id, row: 'total' } as const;
    const update = 'SET #conversionValue = :conversionValue, #conversionValue_20261120 = :conversionValue_20261120';
    await service.stack.effects.db.write({ table: 'ledgers', key, update, values: huge });
    await convert({ clickId, conversionType: 'sale', value: 1_000_000 });
    await service.stack.drain();
    expect((await performance()).conversionValue).toBe(9_007_199_254.740992);
    expect(await report()).toMatchObject({ conversions: 1, conversionValue: 9_007_199_254.740992 });
  });
});

describe('The conversion window', () => {
  /** Sends a conversion `days` after the click, and its repeat a day later. */
  async function convertAfter(days: number, campaign: object, lateByMs = 0) {
    const ad = await clicked(`window${days}${lateByMs}${Object.values(campaign)}oom`, campaign);
    service.clock.advance(days * DAY_MS - 1 + lateByMs);
    const body = { clickId: ad.clickId, conversionType: 'sale', value: 5, conversionId: `of ${ad.clickId}` };
    const first = await convert(body);
    service.clock.advance(DAY_MS);
    const repeated = await convert(body);
    await service.stack.drain();
    expect([first.status, repeated.status]).toEqual([201, 200]);
    expect(repeated.body).toEqual(first.body);
    const { conversions, conversionValue } = await ad.performance();
    return [first.body.counted, conversions, conversionValue];
  }

  it.each([
    [30, {}],
    [1, { conversionWindowDays: 1 }],
    [90, { conversionWindowDays: 90 }],
  ])('counts a conversion less than %d days after the click for %j, and stores a later one', async (days, campaign) => {
    expect(await convertAfter(days, campaign)).toEqual([true, 1, 5]);
    expect(await convertAfter(days, campaign, 1)).toEqual([false, 0, 0]);
  });

  it('begins with the click, even on the last day of the link', async () => {
    const { request, click, campaign, figures } = await clicked('lastdayoom', { conversionWindowDays: 90 });
    const late = (await request('lastdayoom')).body.ads[0];
    service.clock.advance(90 * DAY_MS - MINUTE_MS);
    const { clickId } = (await click(late.id)).body;
    service.clock.advance(90 * DAY_MS - MINUTE_MS);
    const { status, body } = await convert({ clickId, conversionType: 'sale' });
    expect([status, body.counted, body.campaignId]).toEqual([201, true, campaign.id]);
    await service.stack.drain();
    expect((await figures()).performance).toMatchObject({ clicks: 2, conversions: 1 });
  });

  it('is the default one for a campaign that was deleted or stored before the setting existed', async () => {
    const gone = await clicked('goneoom', { conversionWindowDays: 90 });
    const old = await clicked('storedoom', { conversionWindowDays: 90 });
    await service.user()('DELETE', `/campaigns/${gone.campaign.id}`);
    const key = { owner: 'alice', item: `campaign#${old.campaign.id}` } as const;
    await service.stack.effects.db.write({ table: 'campaigns', key, update: 'REMOVE #conversionWindowDays' });
    expect((await old.figures()).conversionWindowDays).toBe(30);
    service.clock.advance(30 * DAY_MS);
    for (const { clickId } of [gone, old])
      expect((await convert({ clickId, conversionType: 'sale' })).body.counted).toBe(false);
  });

  it('stores the values by which reports count only with a conversion that counts, and until it is counted', async () => {
    const { clickId } = await clicked('valuesoom');
    const store = async () => {
      const { conversionId } = (await convert({ clickId, conversionType: 'sale' })).body;
      return service.stack.effects.db.get('conversions', { owner: 'alice', conversionId });
    };
    const live = await store();
    expect(live).toMatchObject({
      mode: 'live',
      keyId: expect.any(String),
      creativeVersion: expect.any(String),
    });
    service.clock.advance(30 * DAY_MS);
    const late = await store();
    expect(late).toMatchObject({ mode: 'late', value: 0 });
    await service.stack.drain();
    const { owner, conversionId } = live!;
    const counted = await service.stack.effects.db.get('conversions', { owner, conversionId });
    expect(counted).toMatchObject({ mode: 'live', value: 0 });
    for (const name of ['keyId', 'countryCode', 'topic', 'variant', 'creativeVersion'])
      for (const conversion of [late, counted]) expect(conversion).not.toHaveProperty(name);
  });

  it.each([0, 91, 1.5, '30', true])('cannot be %j', async (conversionWindowDays) => {
    const { status, body } = await service.user()('POST', '/campaigns', { name: 'Window', conversionWindowDays });
    expect([status, body.message]).toEqual([400, 'conversionWindowDays must be a whole number from 1 to 90']);
  });
});

describe('Counting parked conversions', () => {
  const count = async (records: ReturnType<typeof streamRecord>[], db: Database = service.stack.effects.db) =>
    (await loadWorker('events/count', { ...service.stack.effects, db }))({ Records: records });

  /** Two stored, uncounted conversions of a click, and their stream records. */
  async function stored(word: string) {
    const { clickId, performance } = await clicked(word);
    await service.stack.drain();
    const records = [];
    for (const conversionId of [`${word}-1`, `${word}-2`]) {
      await convert({ clickId, conversionType: 'sale', conversionId, value: 2.5 });
      const item = await service.stack.effects.db.get('conversions', { owner: 'alice', conversionId });
      records.push(streamRecord(undefined, item, 'conversions'));
    }
    const conversions = async () => (await performance()).conversions;
    return { records, conversions, value: async () => (await performance()).conversionValue };
  }

  it('counts each conversion once, however often the records arrive, together or one by one', async () => {
    const { records, conversions, value } = await stored('oatoom');
    for (const batch of [records, [records[0]!], [records[1]!, records[1]!], records])
      expect(await count(batch)).toEqual({ batchItemFailures: [] });
    expect(await conversions()).toBe(2);
    expect(await value()).toBe(5);
  });

  it('counts each conversion once across a crash between them', async () => {
    const { records, conversions } = await stored('peaoom');
    const { db } = service.stack.effects;
    let calls = 0;
    const failing: Database = {
      ...db,
      transact: (writes) =>
        writes[0]!.table === 'conversions' && ++calls === 2
          ? Promise.reject(new Unavailable('no'))
          : db.transact(writes),
    };
    const { batchItemFailures } = await count(records, failing);
    expect(batchItemFailures).toEqual([{ itemIdentifier: records[1]!.dynamodb!.SequenceNumber }]);
    expect(await conversions()).toBe(1);
    await count(records.slice(1));
    expect(await conversions()).toBe(2);
  });

  it('counts each conversion once across a crash before the spend stats are published, then publishes them', async () => {
    const { records, conversions } = await stored('quinoaoom');
    const { db } = service.stack.effects;
    const failing: Database = {
      ...db,
      write: (write, returning) =>
        write.table === 'campaigns' ? Promise.reject(new Unavailable('no')) : db.write(write, returning),
    };
    service.clock.advance(MINUTE_MS); // changed counts are published at most once a minute
    expect((await count(records, failing)).batchItemFailures).toHaveLength(1);
    expect(await count(records)).toEqual({ batchItemFailures: [] });
    expect(await conversions()).toBe(2);
    const { campaignId } = (await db.get('conversions', { owner: 'alice', conversionId: 'quinoaoom-1' }))!;
    expect(await db.get('campaigns', { owner: 'alice', item: `funds#${campaignId}` })).toMatchObject({
      conversions: 2,
    });
  });

  it('ignores a campaign deleted before the count', async () => {
    const { clickId, campaign } = await clicked('ryeoom');
    await service.user()('DELETE', `/campaigns/${campaign.id}`);
    expect((await convert({ clickId, conversionType: 'sale' })).status).toBe(201);
    await service.stack.drain();
    expect(await service.stack.effects.db.get('ledgers', { campaignId: campaign.id, row: 'total' })).toMatchObject({
      conversions: 1,
    });
  });
});

describe('A target_cpa bid', () => {
  it('rises with the reported conversions', async () => {
    const word = 'speltoom';
    const { clickId } = await clicked(word, { bidStrategy: 'target_cpa', targetCpa: 2, maxCpb: 900, budget: 1_000 });
    await service.stack.drain();
    const price = async () => (await service.bid(await service.key(), word)).body.bid;
    const before = await price();
    for (let i = 0; i < 5; i++) await convert({ clickId, conversionType: 'sale' });
    service.clock.advance(MINUTE_MS);
    await service.stack.drain();
    expect(await price()).toBeGreaterThan(before);
  });

  it('ignores conversions after the window', async () => {
    const word = 'tefftoom';
    const campaign = { bidStrategy: 'target_cpa', targetCpa: 2, maxCpb: 900, budget: 1_000, conversionWindowDays: 1 };
    const { clickId, performance } = await clicked(word, campaign);
    service.clock.advance(DAY_MS);
    await service.stack.drain();
    const price = async () => (await service.bid(await service.key(), word)).body.bid;
    const before = await price();
    for (let i = 0; i < 5; i++)
      expect((await convert({ clickId, conversionType: 'sale' })).body).toMatchObject({ counted: false });
    service.clock.advance(MINUTE_MS);
    await service.stack.drain();
    expect(await price()).toBe(before);
    expect((await performance()).conversions).toBe(0);
  });
});
