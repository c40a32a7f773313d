import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { MAX_MESSAGE_BYTES, messageText } from '../../../shared/platform/queue.ts';
import { queueNames } from '../../../shared/platform/queues.ts';
import { EVENT_TYPES } from '../../../shared/webhooks/events/types.ts';
import { createHealthRecorder } from '../../../shared/webhooks/webhook-health.ts';
import { changeWebhook } from '../../../shared/webhooks/webhook-store.ts';
import { FAULTS, simulateDeliveries } from '../../memory/deliveries.ts';
import {
  clickedBid,
  conversion,
  issuedBid,
  laterCampaign,
  servedBid,
  statement,
  storedCampaign,
} from '../../sample-records.ts';
import { streamRecord } from '../../stream-record.ts';

type World = ReturnType<typeof simulateDeliveries>;
const campaign = { ...storedCampaign(), item: 'campaign#cmp_1' };
const messages = ({ memoryQueue }: World) =>
  memoryQueue.on('deliveries').map(({ owner, event }) => `${event.type} to ${owner}`);
const poison = (pad = ''): DynamoDBRecord => {
  const record = streamRecord(undefined, { id: 'x', pad });
  record.dynamodb!.NewImage!.id = { UNKNOWN: 'x' } as never;
  record.dynamodb!.Keys = { id: { S: 'x' } };
  return record;
};
const listeners = async (world: World, users = ['alice', 'publisher']) => {
  for (const user of users) await world.webhook(user, [...EVENT_TYPES], user);
};
const feed = (world: World, ...records: DynamoDBRecord[]) => world.feed('events/fan-out', records);

describe('events/fan-out', () => {
  it('sends the messages of one owner as one group, with the time of sending', async () => {
    const world = simulateDeliveries({});
    for (const name of ['one', 'two']) await world.webhook('alice', ['ad.click'], name);
    await world.webhook('publisher', ['ad.click']);
    await feed(world, streamRecord(servedBid(), clickedBid()));
    expect(world.memoryQueue.groups('deliveries').sort()).toEqual(['alice', 'alice', 'publisher']);
    const sentAt = world.clock.now();
    expect(world.memoryQueue.on('deliveries')).toEqual(Array(3).fill(expect.objectContaining({ sentAt })));
  });

  it.each<[string, DynamoDBRecord, string[]]>([
    ['a served bid', streamRecord(issuedBid(), servedBid()), ['ad.impression to alice', 'ad.impression to publisher']],
    ['a click', streamRecord(servedBid(), clickedBid()), ['ad.click to alice', 'ad.click to publisher']],
    ['a mark', streamRecord(clickedBid(), { ...clickedBid(), clickCounted: true }), []],
    ['an issued bid', streamRecord(undefined, issuedBid()), []],
    ['an expired bid', streamRecord(clickedBid(), undefined), []],
    ['a new campaign', streamRecord(undefined, campaign, 'campaigns'), ['campaign.created to alice']],
    [
      'a campaign with a spent budget',
      streamRecord(
        campaign,
        { ...campaign, ...laterCampaign(campaign, { status: 'paused', pausedReason: 'budget', exhaustions: 1 }) },
        'campaigns',
      ),
      ['campaign.budget_exhausted to alice', 'campaign.paused to alice'],
    ],
    ['a campaign’s tombstone', streamRecord(campaign, { ...campaign, deleted: true }, 'campaigns'), []],
    ['a campaign’s name', streamRecord(undefined, { owner: 'alice', item: 'name#x' }, 'campaigns'), []],
    ['a campaign’s stats', streamRecord(undefined, { owner: 'alice', item: 'funds#cmp_1' }, 'campaigns'), []],
    [
      'a conversion',
      streamRecord(undefined, conversion(), 'conversions'),
      ['ad.conversion to alice', 'ad.conversion to publisher'],
    ],
    ['a test-mode conversion', streamRecord(undefined, conversion({ mode: 'test' }), 'conversions'), []],
    ['a counted conversion', streamRecord(conversion(), { ...conversion(), counted: true }, 'conversions'), []],
    ['a statement', streamRecord(undefined, statement(), 'statements'), ['account.billing to alice']],
  ])('turns %s into the matching events', async (_, record, expected) => {
    const world = simulateDeliveries({});
    await listeners(world);
    await feed(world, record);
    expect(messages(world).sort()).toEqual(expected);
  });

  it('skips disabled webhooks and those not subscribed, but not failed ones', async () => {
    const world = simulateDeliveries({});
    await world.webhook('alice', ['ad.impression'], 'other');
    const off = await world.webhook('alice', ['ad.click'], 'off');
    await changeWebhook(world.effects, 'alice', off.id, { status: 'disabled' });
    const failed = await world.webhook('alice', ['ad.click'], 'failed');
    await createHealthRecorder(world.effects)(failed, {
      ...{ status: 'failed', statusCode: 500, error: 'answered 500' },
    });
    await feed(world, streamRecord(servedBid(), clickedBid()));
    expect(world.memoryQueue.on('deliveries').map(({ webhookId }) => webhookId)).toEqual([failed.id]);
  });

  it('sends every receiver the same event once, even if the owners are the same', async () => {
    const world = simulateDeliveries({});
    await listeners(world);
    const own = { keyOwner: 'alice' };
    await feed(world, streamRecord(servedBid(), clickedBid()), streamRecord(servedBid(own), clickedBid(own)));
    expect(messages(world)).toHaveLength(3);
    expect(new Set(world.memoryQueue.on('deliveries').map(({ event }) => event.id)).size).toBe(1);
  });
});

describe('A batch with a fault in any call', () => {
  const records = [
    streamRecord(issuedBid(), servedBid()),
    poison(),
    streamRecord(undefined, campaign, 'campaigns'),
    streamRecord(servedBid(), clickedBid()),
  ];
  const all = ['ad.click to alice', 'ad.click to publisher', 'ad.impression to alice', 'ad.impression to publisher'];

  async function withFault(fault: (typeof FAULTS)[number], n: number) {
    let calls = 0;
    const world = simulateDeliveries({ faultOf: () => (++calls === n ? fault : undefined) });
    await listeners(world);
    let at = 0;
    for (let tries = 0; at < records.length; tries++) {
      if (tries > 3) throw new Error('the batch is stuck');
      at += await feed(world, ...records.slice(at));
    }
    const fannedOut = calls;
    await world.deliverAll();
    return { world, calls: fannedOut };
  }

  it.each(FAULTS)(
    'is delayed but complete: every receiver gets every event, and the poison record is parked (%s)',
    async (fault) => {
      const { calls } = await withFault(fault, 0);
      for (let n = 1; n <= calls; n++) {
        const { world } = await withFault(fault, n);
        const delivered = world.db.items('deliveries').map(({ event, owner }) => `${event.type} to ${owner}`);
        expect(delivered.sort(), `call ${n}`).toEqual([...all, 'campaign.created to alice']);
        expect(world.arrivals, `call ${n}`).toHaveLength(5);
        expect(world.memoryQueue.on('parked').length, `call ${n}`).toBeGreaterThanOrEqual(1);
      }
    },
  );
});

describe('A record that can never be processed', () => {
  it('is parked whole', async () => {
    const world = simulateDeliveries({});
    const record = poison();
    expect(await feed(world, record)).toBe(1);
    expect(world.memoryQueue.on('parked')).toEqual([{ worker: 'events/fan-out', record }]);
  });

  it('is parked by its keys if it exceeds a message, and its neighbors are processed', async () => {
    const world = simulateDeliveries({});
    await listeners(world);
    const record = poison('ä'.repeat(200_000));
    expect(await feed(world, record, streamRecord(servedBid(), clickedBid()))).toBe(2);
    expect(messages(world)).toHaveLength(2);
    const { NewImage: _, OldImage: __, ...rest } = record.dynamodb!;
    const [parked] = world.memoryQueue.on('parked');
    expect(parked).toEqual({
      worker: 'events/fan-out',
      record: { ...record, dynamodb: JSON.parse(JSON.stringify(rest)) },
    });
    expect(Buffer.byteLength(messageText(parked))).toBeLessThan(MAX_MESSAGE_BYTES);
  });
});

describe('A queue outage', () => {
  it('delays events and parks no record', async () => {
    let isOut = true;
    const world = simulateDeliveries({ faultOf: (call) => (isOut && call === 'send' ? 'refused' : undefined) });
    await listeners(world);
    const records = [streamRecord(issuedBid(), servedBid()), streamRecord(servedBid(), clickedBid())];
    for (let hour = 0; hour < 24; hour++) expect(await feed(world, ...records)).toBe(0);
    isOut = false;
    expect(await feed(world, ...records)).toBe(2);
    await world.deliverAll();
    expect(world.arrivals).toHaveLength(4);
    expect(queueNames.flatMap((name) => world.memoryQueue.on(name))).toEqual([]);
  });
});
