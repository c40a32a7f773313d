import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { loadWorker } from '../../../infra/local/functions.ts';
import { type Database, Unavailable } from '../../../shared/database.ts';
import { useService } from '../../harness.ts';
import { streamRecord } from '../../stream-record.ts';

const service = useService();

/** A served and clicked bid, and the two records that its life leaves in the stream. */
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
  const day = () => service.stack.effects.db.get('ledgers', { campaignId: campaign.id, row: 'day#2026-11-20' });
  return { records, performance, day };
}

const count = (records: DynamoDBRecord[], db: Database = service.stack.effects.db) =>
  loadWorker('events/count', { ...service.stack.effects, db }).then((handler) => handler({ Records: records }));

describe('Counting from the stream', () => {
  it('counts an impression, its spend and its click, once, however often and in whatever order records come', async () => {
    const { records, performance, day } = await clicked('kohlrabioom');
    const [served, click] = records as [DynamoDBRecord, DynamoDBRecord];
    for (const batch of [[click, served], [served], [served, click, click], records]) {
      expect(await count(batch)).toEqual({ batchItemFailures: [] });
    }
    expect(await performance()).toMatchObject({ impressions: 1, clicks: 1 });
    expect(await day()).toMatchObject({ impressions: 1, clicks: 1, spend: 4000 });
  });

  it('begins again at the record that the store could not take', async () => {
    const { records, performance } = await clicked('celeriacoom');
    const { db } = service.stack.effects;
    let calls = 0;
    const failing: Database = {
      ...db,
      transact: (writes) => (++calls === 2 ? Promise.reject(new Unavailable('no')) : db.transact(writes)),
    };
    expect(await count(records, failing)).toEqual({
      batchItemFailures: [{ itemIdentifier: records[1]!.dynamodb!.SequenceNumber }],
    });
    expect((await performance()).clicks).toBe(0);
    await count(records.slice(1));
    expect((await performance()).clicks).toBe(1);
  });

  it('parks a record that can never be processed, whole, and goes on with its neighbours', async () => {
    const { records, performance } = await clicked('salsifyoom');
    const parked: unknown[] = [];
    const poison = structuredClone(records[0]!);
    poison.dynamodb!.NewImage!.campaignId = { N: 'no number' };
    const handler = await loadWorker('events/count', {
      ...service.stack.effects,
      queue: { send: async (queue, message) => void parked.push([queue, message]), postpone: async () => {} },
    });
    expect(await handler({ Records: [poison, ...records] })).toEqual({ batchItemFailures: [] });
    expect(parked).toEqual([['parked', { worker: 'events/count', record: poison }]]);
    expect(await performance()).toMatchObject({ clicks: 1 });
  });

  it('comes from the poller in the same way', async () => {
    const { performance, day } = await clicked('parsnipoom');
    await service.stack.drain();
    expect(await performance()).toMatchObject({ clicks: 1 });
    expect(await day()).toMatchObject({ impressions: 1, clicks: 1, spend: 4000 });
  });
});
