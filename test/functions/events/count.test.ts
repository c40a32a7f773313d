import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { loadWorker } from '../../../infra/local/functions.ts';
import { MINUTE_MS } from '../../../shared/platform/clock.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { streamRecord } from '../../stream-record.ts';
import { createLegacyAd } from '../legacy/legacy.ts';

// @module-tag whole
const service = useServiceInMemory();

/** A served and clicked bid, with the two stream records of its life. */
async function clicked(word: string) {
  const key = await service.key();
  const campaign = await service.campaign({ targetAudience: { keywords: [word] } });
  const { bidId } = (await service.bid(key, word)).body;
  const read = () => service.stack.effects.db.get('bids', { id: bidId });
  const issued = await read();
  await service.ad(key, bidId);
  const served = await read();
  await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'curl/8' } });
  const after = await read();
  const records = [streamRecord(issued, served), streamRecord(served, after)];
  const performance = async () => (await service.user()('GET', `/campaigns/${campaign.id}`)).body.performance;
  const day = async () => (await service.user()('GET', `/campaigns/${campaign.id}/report`)).body.at(-1);
  return { records, performance, day };
}

const count = (records: DynamoDBRecord[], db: Database = service.stack.effects.db) =>
  loadWorker('events/count', { ...service.stack.effects, db }).then((handler) => handler({ Records: records }));

describe('events/count', () => {
  it('counts an impression, its spend, and its click once, however often and in whatever order records arrive', async () => {
    const { records, performance, day } = await clicked('kohlrabioom');
    const [served, click] = records as [DynamoDBRecord, DynamoDBRecord];
    for (const batch of [[click, served], [served], [served, click, click], records]) {
      expect(await count(batch)).toEqual({ batchItemFailures: [] });
    }
    expect(await performance()).toMatchObject({ impressions: 1, clicks: 1 });
    expect(await day()).toMatchObject({ impressions: 1, clicks: 1, spend: 0.004 });
  });

  it('resumes at the record that could not be stored', async () => {
    const { records, performance } = await clicked('celeriacoom');
    const { db } = service.stack.effects;
    let calls = 0;
    const failing: Database = {
      ...db,
      transact: (writes) =>
        writes[0]!.table === 'bids' && ++calls === 1 ? Promise.reject(new Unavailable('no')) : db.transact(writes),
    };
    expect(await count(records, failing)).toEqual({
      batchItemFailures: [{ itemIdentifier: records[1]!.dynamodb!.SequenceNumber }],
    });
    expect((await performance()).clicks).toBe(0);
    await count(records.slice(1));
    expect((await performance()).clicks).toBe(1);
  });

  it('parks a record that can never be processed whole, and processes its neighbors', async () => {
    const { records, performance } = await clicked('salsifyoom');
    const parked: unknown[] = [];
    const poison = structuredClone(records[0]!);
    poison.dynamodb!.NewImage = { id: { UNKNOWN: 'x' } as never };
    const handler = await loadWorker('events/count', {
      ...service.stack.effects,
      queue: {
        ...service.stack.effects.queue,
        send: async (queue, message) => void parked.push([queue, message]),
      },
    });
    expect(await handler({ Records: [poison, ...records] })).toEqual({ batchItemFailures: [] });
    expect(parked).toEqual([['parked', { worker: 'events/count', record: poison }]]);
    expect(await performance()).toMatchObject({ clicks: 1 });
  });

  it('produces the same counts through the poller', async () => {
    const { performance, day } = await clicked('parsnipoom');
    await service.stack.drain();
    expect(await performance()).toMatchObject({ clicks: 1 });
    expect(await day()).toMatchObject({ impressions: 1, clicks: 1, spend: 0.004 });
  });
});

describe('The click rates used in bidding', () => {
  /** A legacy ad, and the clicks of its campaign in the store and in bidding. */
  async function watched(word: string) {
    const ad = await createLegacyAd(service, word);
    const { id, owner } = { id: ad.campaign.id, owner: 'alice' };
    const stats = () => untyped(service.stack.effects.db).get('campaigns', { owner, item: `funds#${id}` });
    const clicks = async () => {
      service.clock.advance(MINUTE_MS); // changed counts are published at most once a minute
      await service.stack.drain();
      const published = await stats();
      return [(await ad.figures()).performance.clicks, published?.clicks, published?.chargedClicks];
    };
    const row = { campaignId: id, row: 'total' };
    return { ...ad, stats, clicks, row };
  }

  it.each([
    ['the impression first', ['impression', 'click']],
    ['the click first', ['click', 'impression']],
  ] as const)('counts a click once click and charge are stored: %s', async (_, [first, second]) => {
    const ad = await watched(`yacon${first}oom`);
    await ad[first](ad.ad.id);
    expect(await ad.clicks()).toEqual(first === 'click' ? [1, 1, 0] : [0, 0, 0]);
    await ad[second](ad.ad.id);
    expect(await ad.clicks()).toEqual([1, 1, 1]);
    await ad[first](ad.ad.id);
    expect(await ad.clicks()).toEqual([1, 1, 1]);
  });

  it('ignore clicks without an impression, however many, and their conversions', async () => {
    const ad = await watched('skirretoom');
    const clicked = async (id: string): Promise<string> => (await ad.click(id)).body.clickId;
    const convert = async (clickId: string) => {
      const converted = await service.user()('POST', '/conversions', { clickId, conversionType: 'sale' });
      expect(converted.status).toBe(201);
    };
    const uncharged: string[] = [];
    for (let i = 0; i < 5; i++) uncharged.push(await clicked((await ad.request('skirretoom')).body.ads[0].id));
    expect(await ad.clicks()).toEqual([5, 5, 0]);
    for (const clickId of uncharged) await convert(clickId);
    expect(await ad.clicks()).toEqual([5, 5, 0]);
    expect(await ad.stats()).toMatchObject({ conversions: 5, chargedConversions: 0 });
    await ad.impression(ad.ad.id);
    await ad.clicks();
    const charged = await clicked(ad.ad.id);
    expect(await ad.clicks()).toEqual([6, 6, 1]);
    await convert(charged);
    expect(await ad.clicks()).toEqual([6, 6, 1]);
    expect(await ad.stats()).toMatchObject({ conversions: 6, chargedConversions: 1 });
  });

  it('treat clicks counted by an earlier version as charged', async () => {
    const ad = await watched('crosneoom');
    const db = untyped(service.stack.effects.db);
    await db.write({ table: 'ledgers', put: { ...ad.row, clicks: 7, conversions: 1 } });
    const { chargedClicks, ...before } = (await db.get('campaigns', {
      owner: 'alice',
      item: `funds#${ad.campaign.id}`,
    }))!;
    expect(chargedClicks).toBe(0);
    await db.write({ table: 'campaigns', put: before });
    await ad.click(ad.ad.id);
    expect(await ad.clicks()).toEqual([8, 8, 7]);
    await ad.impression(ad.ad.id);
    expect(await ad.clicks()).toEqual([8, 8, 8]);
  });

  it('never exceed the number of clicks after a rollout in which the previous version counted a click before its charge', async () => {
    const ad = await watched('oocaoom');
    const db = untyped(service.stack.effects.db);
    await db.write({ table: 'ledgers', put: { ...ad.row, clicks: 1, unchargedClicks: -1 } });
    await ad.impression(ad.ad.id);
    await ad.click(ad.ad.id);
    expect(await ad.clicks()).toEqual([2, 2, 2]);
  });
});
