import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { loadWorker } from '../../../../infra/local/functions.ts';
import type { WorkerName } from '../../../../shared/http/operations/workers.ts';
import type { ParkedRecord } from '../../../../shared/http/workers/parking.ts';
import type { Database } from '../../../../shared/platform/database.ts';
import type { TableName } from '../../../../shared/platform/tables.ts';
import { Unavailable } from '../../../../shared/platform/unavailable.ts';
import { createBudgetService } from '../../../memory/service.ts';
import { untyped } from '../../../memory/untyped-database.ts';
import { clickedBid, issuedBid, servedBid } from '../../../sample-records.ts';
import { streamRecord } from '../../../stream-record.ts';

const ONCE = { bids: 1, impressions: 1, clicks: 1 };
const [COUNT, COUNT_KEYS] = ['events/count', 'events/count-keys'] as const;

/** A click from no address: it counts for no clicker, whose row would be parked too. */
function clickedAt(bid: { id: string }) {
  const { click, ...ad } = clickedBid(bid);
  return { ...ad, click: { ...click, ip: '' } };
}

/** The stream records of one bid that was clicked, and the functions that count it. */
async function createClick() {
  const service = createBudgetService('parking');
  const parked: { worker: WorkerName; record: ParkedRecord; delayMs: number }[] = [];
  const db = untyped(service.db);
  const bid = { id: 'bid-1' };
  await db.write({ table: 'bids', put: clickedBid(bid) });
  const [served, clicked] = [servedBid(bid), clickedAt(bid)].map((one) => ({ ...one, impressionCounted: true }));
  const records = [
    streamRecord(undefined, issuedBid(bid)),
    streamRecord(issuedBid(bid), served),
    streamRecord(served, clicked),
  ];
  const queue = {
    ...service.effects.queue,
    send: async (_: unknown, message: unknown, { delayMs = 0 } = {}) =>
      void parked.push({ ...(message as { worker: WorkerName; record: ParkedRecord }), delayMs }),
  };
  const run = async (worker: WorkerName, Records: DynamoDBRecord[], shardId?: string, by: Database = service.db) => {
    const handle = await loadWorker(worker, { ...service.effects, queue, db: by });
    return (await handle({ Records, ...(shardId && { shardId }) })).batchItemFailures;
  };
  /** A store that fails each write of a table with an error that no retry mends. */
  const refusing = (table: TableName, isApplied = false): Database => ({
    ...service.db,
    async write(write, returning) {
      if (write.table !== table) return service.db.write(write, returning);
      if (isApplied) await service.db.write(write, returning);
      throw new TypeError('never');
    },
  });
  const tallies = () =>
    service.db.changes
      .filter(({ table }) => table === 'key-tallies')
      .map(({ now }) => streamRecord(undefined, now, 'key-tallies'));

  return {
    parked,
    records,
    run,
    refusing,
    tallies,
    store: service.db,
    async replay() {
      for (const { worker, record } of parked.splice(0)) expect(await run(worker, [record])).toEqual([]);
    },
    clicks: async () => (await db.get('ledgers', { campaignId: 'cmp_1', row: 'total' }))?.clicks,
    keyDay: () => db.get('key-days', { keyId: 'key_1', day: '2026-11-20' }),
    campaignDay: () => db.get('ledgers', { campaignId: 'cmp_1', row: 'by#2026-11-20' }),
  };
}

/** What may happen after the records were parked, in order. */
const ORDERS: ('deliver' | 'replay')[][] = [
  ['replay'],
  ['deliver', 'replay'],
  ['replay', 'deliver'],
  ['replay', 'deliver', 'replay'],
  ['deliver', 'deliver', 'replay', 'replay'],
];

describe.each(ORDERS.map((order) => [order.join(', then '), order] as const))('After parking: %s', (_, order) => {
  it.each([
    ['refused', false],
    ['applied, although its response was an error', true],
  ])('a click counts once if the write of its campaign was %s', async (__, isApplied) => {
    const { run, refusing, records, replay, clicks, parked } = await createClick();
    expect(await run(COUNT, records, 's', refusing('ledgers', isApplied))).toEqual([]);
    expect(parked).toHaveLength(1);
    const copy = [...parked];
    for (const step of order) await (step === 'deliver' ? run(COUNT, records, 's') : replay());
    parked.push(...copy); // SQS may deliver a message twice
    await replay();
    expect(await clicks()).toBe(1);
  });

  it.each([
    ['refused', false],
    ['applied, although its response was an error', true],
  ])('a key and its breakdown count once if the write of the tally was %s', async (__, isApplied) => {
    const { run, refusing, records, replay, keyDay, campaignDay, tallies } = await createClick();
    await run(COUNT, records, 's', refusing('key-tallies', isApplied));
    for (const step of order) await (step === 'deliver' ? run(COUNT, records, 's') : replay());
    await run(COUNT_KEYS, tallies(), 't');
    expect(await keyDay()).toMatchObject(ONCE);
    expect(Object.values((await campaignDay())!)).toContain(4_000); // one charge
  });

  it.each([
    ['refused', false],
    ['applied, although its response was an error', true],
  ])('a key counts once if the write of its day was %s', async (__, isApplied) => {
    const { run, refusing, records, replay, keyDay, tallies } = await createClick();
    await run(COUNT, records, 's');
    const all = tallies();
    await run(COUNT_KEYS, all, 't', refusing('key-days', isApplied));
    for (const step of order) await (step === 'deliver' ? run(COUNT_KEYS, all, 't') : replay());
    expect(await keyDay()).toMatchObject(ONCE);
  });
});

describe('A parked record', () => {
  it('is void if its row never skipped it: the batch is delivered again', async () => {
    const { run, refusing, records, replay, clicks, parked } = await createClick();
    const db = { ...refusing('ledgers'), transact: () => Promise.reject(new Unavailable('a crash')) };
    expect(await run(COUNT, records, 's', db)).toEqual([{ itemIdentifier: records[2]!.dynamodb!.SequenceNumber }]);
    expect(parked).toHaveLength(1);
    await replay();
    expect(await clicks()).toBeUndefined();
    await run(COUNT, records, 's');
    expect(await clicks()).toBe(1);
  });

  it('is hidden until the function that parked it has ended', async () => {
    const { run, refusing, records, parked } = await createClick();
    await run(COUNT, records, 's', refusing('ledgers'));
    expect(parked.map(({ delayMs }) => delayMs)).toEqual([15_000]);
  });

  it('counts by its mark alone if its row cannot even skip it, or the previous version parked it', async () => {
    const { run, refusing, records, replay, clicks, parked } = await createClick();
    const db = { ...refusing('ledgers'), transact: () => Promise.reject(new TypeError('never')) };
    await run(COUNT, records, 's', db);
    expect(parked.map(({ record: { claim } }) => claim !== undefined)).toEqual([true, false]);
    parked.push(parked[1]!);
    await replay();
    expect(await clicks()).toBe(1);
  });

  it('leaves no counts of the last batch in the tally that skips it', async () => {
    const { run, refusing, records, replay, keyDay, tallies } = await createClick();
    await run(COUNT, records.slice(0, 2), 's');
    await run(COUNT, records.slice(2), 's', refusing('key-tallies'));
    await run(COUNT_KEYS, tallies(), 't');
    expect(await keyDay()).toMatchObject({ bids: 1, impressions: 1 });
    expect((await keyDay())?.clicks).toBeUndefined();
    await replay();
    expect(await keyDay()).toMatchObject(ONCE);
  });

  it('is claimed in transactions of at most 100 writes', async () => {
    const { run, refusing, records, replay, clicks, parked, store } = await createClick();
    const many = Array.from({ length: 250 }, (_, n) => {
      const bid = { id: `other-${n}` };
      void untyped(store).write({ table: 'bids', put: clickedBid(bid) });
      return streamRecord(
        { ...servedBid(bid), impressionCounted: true },
        { ...clickedAt(bid), impressionCounted: true },
      );
    });
    const sizes: number[] = [];
    const db: Database = {
      ...refusing('ledgers'),
      transact(writes, onConflict) {
        sizes.push(writes.length);
        return store.transact(writes, onConflict);
      },
    };
    await run(COUNT, [...records, ...many], 's', db);
    expect(sizes).toEqual([100, 100, 54]);
    expect(parked).toHaveLength(251);
    await run(COUNT, [...records, ...many], 's');
    await replay();
    expect(await clicks()).toBe(251);
  });
});
