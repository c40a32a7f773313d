import { describe, expect, it } from 'vitest';
import { loadWorker } from '../../../infra/local/functions.ts';
import { compactTotals, getOpenDays, totalRow } from '../../../shared/budgets/counts.ts';
import type { WorkerName } from '../../../shared/http/operations/workers.ts';
import type { ParkedRecord } from '../../../shared/http/workers/parking.ts';
import { DAY_MS, utcDay } from '../../../shared/platform/clock.ts';
import { type Addition, countOnce } from '../../../shared/platform/count-once.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { createBudgetService } from '../../memory/service.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { clickedBid, issuedBid, servedBid } from '../../sample-records.ts';
import { streamRecord } from '../../stream-record.ts';

const SHARD = 'bids shardId-00000001636730383636-f1cc8f5a';
const ROW = { campaignId: 'cmp_1', row: 'total' };
const HOUR_MS = 60 * 60 * 1000;
const click = (sequence: string | bigint): Addition => ({ sequence: String(sequence), counts: { clicks: 1 } });

/** A row of totals, with functions to add to it and to read it. */
function createRow() {
  const { effects, db, clock } = createBudgetService('count once');
  const row = () => untyped(db).get('ledgers', ROW);
  const add = async (sequences: (string | bigint)[], shard = SHARD, by: Database = db) => {
    const { counted } = await countOnce({ ...effects, db: by }, totalRow('cmp_1'), shard, sequences.map(click));
    return counted.map(({ sequence }) => sequence);
  };
  const positions = async () => Object.keys((await row())!).filter((name) => name.startsWith('at_'));
  return { effects, db, clock, row, add, positions };
}

describe('A row that counts the records of a shard', () => {
  it('counts each record once if batches overlap', async () => {
    const { add, row } = createRow();
    expect(await add(['1', '2', '3'])).toEqual(['1', '2', '3']);
    expect(await add(['1', '2', '3'])).toEqual([]);
    expect(await add(['2', '3', '4', '5'])).toEqual(['4', '5']);
    expect(await add(['1'])).toEqual([]);
    expect((await row())?.clicks).toBe(5);
  });

  it('orders sequence numbers as numbers, up to forty digits', async () => {
    const { add, row } = createRow();
    const last = 10n ** 40n - 1n;
    for (const sequence of ['9', '10', '99', '100', last - 1n, last]) expect(await add([sequence])).toHaveLength(1);
    for (const sequence of ['9', '100', last - 1n, last]) expect(await add([sequence])).toEqual([]);
    expect((await row())?.clicks).toBe(6);
  });

  it('counts other shards independently', async () => {
    const { add, row, positions } = createRow();
    await add(['7'], 'bids shardId-1');
    await add(['3'], 'bids shardId-2');
    await add(['3'], 'conversions shardId-1');
    expect((await row())?.clicks).toBe(3);
    expect(await positions()).toHaveLength(3);
  });

  it('counts once if the response of the store is lost', async () => {
    const { add, row, db } = createRow();
    let lost = 0;
    const losing: Database = {
      ...db,
      async write(write, returning) {
        const written = await db.write(write, returning);
        if (lost++ === 0) throw new Unavailable('lost');
        return written;
      },
    };
    await expect(add(['1', '2'], SHARD, losing)).rejects.toThrow(Unavailable);
    expect(await add(['1', '2'], SHARD, losing)).toEqual([]);
    expect((await row())?.clicks).toBe(2);
  });
});

describe('A row of totals', () => {
  it('removes a position 48 hours after its shard has closed', async () => {
    const { add, row, positions, effects, clock } = createRow();
    for (let shard = 0; shard < 10; shard++) await add(['1'], `bids shard-${shard}`);
    clock.advance(52 * HOUR_MS); // a shard accepts records for at most four hours
    await compactTotals(effects, (await row()) as never);
    expect(await positions()).toHaveLength(10);
    expect(await add(['1'], 'bids shard-3')).toEqual([]);
    clock.advance(HOUR_MS);
    await add(['1'], 'bids shard-new');
    await compactTotals(effects, (await row()) as never);
    expect(await positions()).toHaveLength(1);
    expect((await row())?.clicks).toBe(11);
  });

  it('removes hundreds of positions in small steps, each within the size limit of an expression', async () => {
    const { add, row, positions, effects, clock, db } = createRow();
    for (let shard = 0; shard < 300; shard++) await add(['1'], `bids shard-${shard}`);
    clock.advance(53 * HOUR_MS);
    const longest = { expression: 0 };
    const watched: Database = {
      ...db,
      transact(writes) {
        for (const write of writes)
          if ('update' in write) longest.expression = Math.max(longest.expression, write.update.length);
        return db.transact(writes);
      },
    };
    for (let left = 300; left > 0; left -= 50) {
      expect(await positions()).toHaveLength(left);
      await compactTotals({ ...effects, db: watched }, (await row()) as never);
    }
    expect(await positions()).toHaveLength(0);
    expect(longest.expression).toBeLessThan(4_096);
  });

  it('still counts if old positions cannot be removed, and parks nothing', async () => {
    const service = createBudgetService('not tidied');
    const campaign = await service.campaign();
    const more = { campaignId: campaign.id, id: 'bid-1', mode: 'live' as const };
    const record = streamRecord(
      { ...servedBid(more), impressionCounted: true },
      { ...clickedBid(more), impressionCounted: true },
    );
    const ended = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`at_${n}`, `${'0'.repeat(23)}@0`]));
    await untyped(service.db).write({ table: 'ledgers', put: { campaignId: campaign.id, row: 'total', ...ended } });
    const parked: unknown[] = [];
    const queue = { ...service.effects.queue, send: async (_: unknown, one: unknown) => void parked.push(one) };
    const db: Database = { ...service.db, transact: () => Promise.reject(new TypeError('never')) };
    const count = await loadWorker('events/count', { ...service.effects, db, queue });
    expect((await count({ Records: [record], shardId: SHARD })).batchItemFailures).toEqual([]);
    expect((await service.performance(campaign)).clicks).toBe(1);
    expect(parked).toEqual([]);
  });

  it('moves old days to their own rows, and stays under 1 KB over a year of clicks', async () => {
    const service = createBudgetService('a year of clicks');
    const campaign = await service.campaign();
    const count = await loadWorker('events/count', service.effects);
    let largest = 0;
    for (let day = 0; day < 365; day++) {
      const more = { campaignId: campaign.id, id: `bid-${day}`, mode: 'live' as const };
      const clicked = { ...clickedBid(more), impressionCounted: true };
      clicked.click = { ...clicked.click, at: service.clock.now() };
      const record = streamRecord({ ...servedBid(more), impressionCounted: true }, clicked);
      await count({ Records: [record], shardId: `shard of day ${day}` });
      const row = await untyped(service.db).get('ledgers', { campaignId: campaign.id, row: 'total' });
      largest = Math.max(largest, JSON.stringify(row).length);
      service.clock.advance(DAY_MS);
    }
    expect(largest).toBeLessThan(1024);
    const days = await service.days(campaign);
    expect(days.length).toBe(365);
    expect(days.every(({ clicks }) => clicks === 1)).toBe(true);
    expect(await service.performance(campaign)).toMatchObject({ clicks: 365 });
  });

  it('is reported once if days are moved between two reads of a report', async () => {
    const service = createBudgetService('moved');
    const campaign = await service.campaign();
    const days = Array.from({ length: 12 }, (_, n) => utcDay(service.clock.now() - (n + 6) * DAY_MS));
    const counts = Object.fromEntries(days.map((day) => [`clicks_${day.replaceAll('-', '')}`, 2]));
    const put = { campaignId: campaign.id, row: 'total', clicks: 24, ...counts };
    await untyped(service.db).write({ table: 'ledgers', put });
    expect(getOpenDays(put as never).size).toBe(12);
    const query = service.db.query.bind(service.db);
    let moving = false;
    service.db.query = async function* (asked) {
      if (!moving) {
        moving = true;
        await compactTotals(service.effects, put as never);
      }
      yield* query(asked);
    };
    const reported = await service.days(campaign);
    expect(moving).toBe(true);
    expect(reported.map(({ clicks }) => clicks)).toEqual(days.map(() => 2));
  });
});

describe('The report of a key', () => {
  const TODAY = '2026-11-20';
  const YESTERDAY = '2026-11-19';

  /**
   * Two bids of a key from issue to click, one of them issued before midnight, with their counts: the stream of bids in one shard, and
   * the stream of tallies in another.
   */
  function createRow() {
    const service = createBudgetService('key days');
    const records = [0, 1].flatMap((n) => {
      const bid = { id: `bid-${n}`, issuedAt: Date.parse(n ? TODAY : YESTERDAY) + 12 * HOUR_MS };
      const [issued, served, clicked] = [issuedBid(bid), servedBid(bid), clickedBid(bid)];
      return [streamRecord(undefined, issued), streamRecord(issued, served), streamRecord(served, clicked)];
    });
    const parked: { record: ParkedRecord }[] = [];
    const queue = {
      ...service.effects.queue,
      send: async (_: unknown, one: unknown) => void parked.push(one as never),
    };
    const run = async (
      name: WorkerName,
      Records: typeof records,
      shard: { shardId?: string } = { shardId: SHARD },
      db: Database = service.db,
    ) => (await loadWorker(name, { ...service.effects, queue, db }))({ Records, ...shard });
    const count = (Records: typeof records, shard?: { shardId?: string }, db?: Database) =>
      run('events/count', Records, shard, db);
    const countKeys = (Records: typeof records, shard?: { shardId?: string }, db?: Database) =>
      run('events/count-keys', Records, shard, db);
    const tallies = () =>
      service.db.changes
        .filter(({ table }) => table === 'key-tallies')
        .map(({ now }) => streamRecord(undefined, now, 'key-tallies'));
    const day = (date: string) => untyped(service.db).get('key-days', { keyId: 'key_1', day: date });
    /** The store, which counts the writes of a table that are not refused, and may fail there. */
    const watched = (table: string, cause?: Error): { db: Database; written: number } => {
      const watching = { written: 0, db: service.db };
      watching.db = {
        ...service.db,
        async write(write, returning) {
          if (write.table === table && cause) throw cause;
          const written = await service.db.write(write, returning);
          if (write.table === table && written.ok) watching.written++;
          return written;
        },
      };
      return watching;
    };
    return { service, records, parked, count, countKeys, tallies, day, watched };
  }
  const WHOLE = { bids: 1, impressions: 2, clicks: 2, charged_10000: 8_000 };

  it('counts each record once if batches overlap, with one write per batch and one per key and day for many batches', async () => {
    const { records, count, countKeys, tallies, day, watched } = createRow();
    const other = records.map(({ dynamodb, ...record }) => ({
      ...record,
      dynamodb: { ...dynamodb, NewImage: { ...dynamodb!.NewImage, keyId: { S: 'key_2' } } },
    }));
    const ofBatch = watched('key-tallies');
    await count(records, undefined, ofBatch.db);
    await count(other, { shardId: 'shard of another key' }, ofBatch.db);
    expect(ofBatch.written).toBe(2);
    for (const batch of [records, records.slice(2, 5), records.slice(5), records]) await count(batch);
    const all = tallies();
    expect(all).toHaveLength(2);

    const ofDays = watched('key-days');
    await countKeys(all, undefined, ofDays.db);
    expect(ofDays.written).toBe(4); // Two days per key.
    for (const batch of [all.slice(0, 1), all.slice(1), all]) await countKeys(batch);
    expect(await day(TODAY)).toMatchObject(WHOLE);
    const before = (await day(YESTERDAY))!;
    expect(before).toMatchObject({ bids: 1, ttl: Date.parse('2028-11-19') / 1000 });
    expect(before.impressions).toBeUndefined();
  });

  it('uses one write per key, whatever the number of shards', async () => {
    const { records, count, countKeys, tallies, day, watched } = createRow();
    for (const [at, record] of records.entries()) await count([record], { shardId: `shard ${at}` });
    expect(tallies()).toHaveLength(records.length);
    const ofDays = watched('key-days');
    await countKeys(tallies(), undefined, ofDays.db);
    expect(ofDays.written).toBe(2);
    expect(await day(TODAY)).toMatchObject(WHOLE);
  });

  it('counts each record once if a batch could not be written and its records were parked', async () => {
    const { records, parked, count, countKeys, tallies, day, service, watched } = createRow();
    for (const n of [0, 1]) await untyped(service.db).write({ table: 'bids', put: clickedBid({ id: `bid-${n}` }) });
    const { db } = watched('key-tallies', new TypeError('never'));
    expect((await count(records, undefined, db)).batchItemFailures).toEqual([]);
    expect(parked.map(({ record }) => record)).toMatchObject(records.map((record) => ({ ...record, part: 'key' })));
    for (let times = 0; times < 2; times++) for (const { record } of parked) await count([record], {});
    await count(records.slice(0, 1), {}); // a record that was parked completely, also counted by its mark
    await countKeys(tallies());
    expect(await day(TODAY)).toMatchObject(WHOLE);
    expect(await untyped(service.db).get('ledgers', ROW)).toMatchObject({ clicks: 2 });
  });

  it('counts each batch once if a day could not be written and was parked, or if the store was unavailable', async () => {
    const { records, parked, count, countKeys, tallies, day, watched } = createRow();
    await count(records.slice(0, 3));
    await count(records.slice(3));
    const all = tallies();
    const away = await countKeys(all, undefined, watched('key-days', new Unavailable('no')).db);
    expect(away.batchItemFailures).toEqual([{ itemIdentifier: all[0]!.dynamodb!.SequenceNumber }]);
    const { db } = watched('key-days', new TypeError('never'));
    expect((await countKeys(all, undefined, db)).batchItemFailures).toEqual([]);
    expect(parked.map(({ record: { part } }) => part)).toEqual([
      `key_1 ${YESTERDAY}`,
      `key_1 ${TODAY}`,
      `key_1 ${TODAY}`,
    ]);
    for (let times = 0; times < 2; times++) for (const { record } of parked) await countKeys([record], {});
    expect(await day(TODAY)).toMatchObject(WHOLE);
    expect(await day(YESTERDAY)).toMatchObject({ bids: 1 });
  });
});

describe('A batch in which one campaign cannot be counted', () => {
  /** A click on each of three campaigns, and a store that fails for one of them. */
  async function batch(cause: () => Error) {
    const service = createBudgetService('one of three');
    const campaigns = [
      await service.campaign(),
      await service.campaign({ name: 'B' }),
      await service.campaign({ name: 'C' }),
    ];
    const records = campaigns.map(({ id: campaignId }, n) => {
      const more = { campaignId, id: `bid-${n}` };
      return streamRecord(
        { ...servedBid(more), impressionCounted: true },
        { ...clickedBid(more), impressionCounted: true },
      );
    });
    for (const { id, ...bid } of campaigns.map((_, n) => ({ ...clickedBid(), id: `bid-${n}` })))
      await untyped(service.db).write({ table: 'bids', put: { id, ...bid } });
    const failing: Database = {
      ...service.db,
      write: (write, returning) =>
        write.table === 'ledgers' &&
        'key' in write &&
        'campaignId' in write.key &&
        write.key.campaignId === campaigns[1]!.id
          ? Promise.reject(cause())
          : service.db.write(write, returning),
    };
    const parked: { record: unknown }[] = [];
    const queue = {
      ...service.effects.queue,
      send: async (_: unknown, one: unknown) => void parked.push(one as never),
    };
    const run = async (db: Database, Records: typeof records, shardId?: string) =>
      (await loadWorker('events/count', { ...service.effects, db, queue }))({ Records, shardId });
    const clicks = async () => (await Promise.all(campaigns.map(service.performance))).map((one) => one.clicks);
    const ofKey = async () => {
      const tallies = service.db.changes.filter(({ table }) => table === 'key-tallies');
      const Records = tallies.map(({ now }) => streamRecord(undefined, now, 'key-tallies'));
      await (await loadWorker('events/count-keys', service.effects))({ Records, shardId: SHARD });
      return untyped(service.db).get('key-days', { keyId: 'key_1', day: '2026-11-20' });
    };
    return { service, records, failing, parked, run, clicks, ofKey };
  }

  it('is retried from that record, and counts the others once', async () => {
    const { service, records, failing, run, clicks, parked } = await batch(() => new Unavailable('no'));
    const answer = await run(failing, records, SHARD);
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: records[1]!.dynamodb!.SequenceNumber }]);
    expect(answer.state).toEqual({});
    expect(await clicks()).toEqual([1, 0, 1]);
    await run(service.db, records.slice(1), SHARD);
    expect(await clicks()).toEqual([1, 1, 1]);
    expect(parked).toEqual([]);
  });

  it('is retried from that record, even if a bug prevents the publication of the other counts', async () => {
    const { records, failing, run } = await batch(() => new Unavailable('no'));
    const getAll = async () => {
      throw new TypeError('never');
    };
    const answer = await run({ ...failing, getAll }, records, SHARD);
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: records[1]!.dynamodb!.SequenceNumber }]);
  });

  it('parks a record that can never be counted, and counts it once by its mark when it is replayed', async () => {
    const { service, records, failing, run, clicks, ofKey, parked } = await batch(() => new TypeError('never'));
    expect((await run(failing, records, SHARD)).batchItemFailures).toEqual([]);
    // The key has already counted it.
    const left = ['campaign', 'clicker'].map((part) => ({ ...records[1]!, part }));
    expect(parked).toMatchObject(left.map((record) => ({ worker: 'events/count', record })));
    await run(service.db, records.slice(2), SHARD); // the stream has continued
    for (let times = 0; times < 3; times++)
      for (const record of left) expect((await run(service.db, [record])).batchItemFailures).toEqual([]);
    expect(await clicks()).toEqual([1, 1, 1]);
    expect(await ofKey()).toMatchObject({ clicks: 3 });
  });
});
