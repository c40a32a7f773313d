import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { Database, Write } from '../../../../shared/platform/database.ts';
import { Unavailable } from '../../../../shared/platform/unavailable.ts';
import { generator, shuffle } from '../../../../tools/random.ts';
import { createCountStreams } from '../../../memory/count-streams.ts';
import { unreliableFault } from '../../../memory/gates.ts';
import { untyped } from '../../../memory/untyped-database.ts';
import { selectSeeds } from '../../../run-size.ts';
import { clickedBid, servedBid } from '../../../sample-records.ts';
import { streamRecord } from '../../../stream-record.ts';

// @module-tag whole

const CLICKS = 75;
const DAY = '2026-11-20';
const COUNT = 'events/count';

/** A service with the clicks of one clicker, on ads of three keys. */
async function createClicks(seed: string) {
  const streams = createCountStreams(seed);
  const { service, tallies, deliver } = streams;
  const db = untyped(service.db);
  const records: DynamoDBRecord[] = [];
  for (let at = 0; at < CLICKS; at++) {
    const bid = { id: `bid-${at}`, keyId: `key_${at % 3}` };
    await db.write({ table: 'bids', put: { ...clickedBid(bid), impressionCounted: true } });
    records.push(
      streamRecord({ ...servedBid(bid), impressionCounted: true }, { ...clickedBid(bid), impressionCounted: true }),
    );
  }
  /** Suspect clicks and clicks of the campaign: in total, on its day, and of its keys. */
  const read = async () => {
    await deliver('events/count-keys', tallies(), 'tallies-1');
    const total = await db.get('ledgers', { campaignId: 'cmp_1', row: 'total' });
    const keys = await Promise.all([0, 1, 2].map((at) => db.get('key-days', { keyId: `key_${at}`, day: DAY })));
    const sum = (name: string) => keys.reduce((count, key) => count + (key?.[name] ?? 0), 0);
    return [
      [total?.clicks, total?.clicks_20261120, sum('clicks')],
      [total?.tooManyClicks, total?.tooManyClicks_20261120, sum('tooManyClicks')],
    ];
  };
  return { ...streams, records, read };
}

const EXPECTED = [Array(3).fill(CLICKS), Array(3).fill(CLICKS - 30)];
const isClicker = (write: Write) => 'key' in write && 'row' in write.key && write.key.row.startsWith('clicker#');

describe('The suspect clicks of an address', () => {
  it.each(selectSeeds(60))(
    'count once, in any order and repetition of the records, on an unreliable store (seed %d)',
    async (seed) => {
      const random = generator(seed);
      const { service, run, parked, records, read } = await createClicks(`clickers ${seed}`);
      const fault = unreliableFault(random, 0.1, 0.1);
      const refuses = seed % 3; // never, always until it is repaired, or at times
      let isRepaired = false;
      const failing: Database = service.db.behind(async ({ method, writes }, act) => {
        const isRefused = refuses === 1 || (refuses === 2 && method === 'write' && random() < 0.5);
        if (!isRepaired && isRefused && writes.some(isClicker)) throw new TypeError('never');
        return writes.length > 0 ? fault(act) : act();
      });
      const shards = Array.from({ length: 3 }, (_, shard) => records.filter((__, at) => at % 3 === shard));
      const places = [0, 0, 0];
      while (places.some((place, shard) => place < shards[shard]!.length)) {
        const shard = Math.floor(random() * 3);
        const start = Math.max(0, places[shard]! - (random() < 0.3 ? Math.floor(random() * 8) : 0));
        const batch = shards[shard]!.slice(start, start + 1 + Math.floor(random() * 12));
        const failed = await run(COUNT, batch, `shard-${shard}`, failing);
        const through = failed ? batch.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed) : batch.length;
        places[shard] = Math.max(places[shard]!, start + through);
      }
      isRepaired = true;
      const again = [...parked, ...parked.filter(() => random() < 0.3)];
      shuffle(again, random);
      for (const { worker, record } of again) await run(worker, [record]);
      expect(await read()).toEqual(EXPECTED);
    },
  );

  it('count once if the response to each write of the clicker is lost', async () => {
    const { service, deliver, records, read } = await createClicks('lost');
    const lost = new Set<string>();
    const losing: Database = service.db.behind(async ({ writes }, act) => {
      const answer = act();
      const write = JSON.stringify(writes);
      if (!writes.some(isClicker) || lost.has(write)) return answer;
      lost.add(write);
      throw new Unavailable('the answer was lost');
    });
    await deliver(COUNT, records.slice(0, 40), 'shard-1', losing);
    await deliver(COUNT, records.slice(40), 'shard-1', losing);
    expect(lost.size).toBeGreaterThanOrEqual(2);
    expect(await read()).toEqual(EXPECTED);
  });

  it('count once if the process ends before or after any of the calls of a batch', async () => {
    const { service, run, deliver, records, read } = await createClicks('crash');
    for (const [part, batch] of [records.slice(0, 40), records.slice(40)].entries())
      for (let calls = 0; calls < 6; calls++)
        for (const isApplied of [false, true]) {
          let count = 0;
          const crashing: Database = service.db.behind(async (_, act) => {
            if (count > calls) throw new Unavailable('the process is gone');
            if (count++ < calls || isApplied) return act();
            throw new Unavailable('the process is gone');
          });
          await run(COUNT, batch, `shard-${part}`, crashing);
        }
    await deliver(COUNT, records.slice(0, 40), 'shard-0');
    await deliver(COUNT, records.slice(40), 'shard-1');
    expect(await read()).toEqual(EXPECTED);
  });

  it('are stored by one transaction at a time, because those of several addresses would conflict in the same totals', async () => {
    const { service, deliver, records, read } = await createClicks('addresses');
    const ofAddress = (ip: string) =>
      records.slice(0, 31).map((_, at) => {
        const { click, ...ad } = clickedBid({ id: `${at}-${ip}`, keyId: `key_${at % 3}` });
        const old = { ...ad, impressionCounted: true };
        return streamRecord(old, { ...old, click: { ...click, ip } });
      });
    const all = Array.from({ length: 12 }, (_, at) => ofAddress(`203.0.${at}.0`)).flat();
    let [current, most] = [0, 0];
    const watched: Database = service.db.behind(async ({ method }, act) => {
      if (method !== 'transact') return act();
      most = Math.max(most, ++current);
      await new Promise(setImmediate);
      current--;
      return act();
    });
    await deliver(COUNT, all, 'shard-1', watched);
    expect(most).toBe(1);
    expect(await read()).toEqual([Array(3).fill(12 * 31), Array(3).fill(12)]);
  });

  it('are none if the record of the click names no address', async () => {
    const { run, records, read } = await createClicks('none');
    const anonymous = records.map(({ dynamodb }, at) => {
      const bid = { id: `bid-${at}`, keyId: `key_${at % 3}` };
      const { click, ...ad } = clickedBid(bid);
      const now = { ...ad, click: { ...click, ip: '' }, impressionCounted: true };
      expect(dynamodb).toBeDefined();
      return streamRecord({ ...servedBid(bid), impressionCounted: true }, now);
    });
    await run(COUNT, anonymous, 'shard-1');
    expect(await read()).toEqual([Array(3).fill(CLICKS), [undefined, undefined, 0]]);
  });
});
