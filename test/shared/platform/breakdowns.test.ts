import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { loadWorker } from '../../../infra/local/functions.ts';
import type { Bid, Issued } from '../../../shared/ads/bids/bid.ts';
import { readBreakdown, type Subject } from '../../../shared/platform/breakdowns.ts';
import type { Database, Write } from '../../../shared/platform/database.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { COUNTRIES } from '../../../shared/platform/values/countries.ts';
import { itemBytes } from '../../../tools/cost/table-use.ts';
import { generator } from '../../../tools/random.ts';
import { createCountStreams } from '../../memory/count-streams.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { clickedBid, issuedBid, servedBid } from '../../sample-records.ts';
import { streamRecord } from '../../stream-record.ts';

const DAY = '2026-11-20';
const CAMPAIGN = { campaignId: 'cmp_1' };
const KEY = { keyId: 'key_1' };
const CAMPAIGN_DIMENSIONS = ['country', 'publisher', 'topic', 'creative', 'variant'] as const;
const KEY_DIMENSIONS = ['country', 'domain', 'variant'] as const;

type Facts = 'bid' | 'impression' | 'click';

/** Streams whose counts are read as reports do. */
function createStreams(seed: string) {
  const streams = createCountStreams(seed);
  const { service } = streams;
  const read = async (subject: Subject, dimension: (typeof CAMPAIGN_DIMENSIONS | typeof KEY_DIMENSIONS)[number]) => {
    const [day, ...others] = await readBreakdown(service.effects, subject, dimension, '2026-11-01', '2026-11-30');
    expect(others).toEqual([]);
    return Object.fromEntries(day?.values ?? []);
  };
  const keyDay = () => untyped(service.db).get('key-days', { ...KEY, day: DAY });
  /** The rows of breakdowns in both tables. */
  const pages = () =>
    [...service.db.items('ledgers'), ...service.db.items('key-days')].filter(({ values }) => values !== undefined);
  return { ...streams, read, keyDay, pages };
}

let bids = 0;
/** The records of a bid's life up to a fact. */
function life(more: Partial<Issued>, last: Facts = 'impression'): DynamoDBRecord[] {
  const id = `bid-${++bids}`;
  const [issued, served, clicked] = [issuedBid, servedBid, clickedBid].map((make): Bid => {
    const { creative: _, ...bid } = { creative: undefined, ...make({ id, ...more }) };
    return { ...bid, ...('servedAt' in bid && { impressionCounted: true }) };
  }) as [Bid, Bid, Bid];
  const records = [streamRecord(undefined, issued), streamRecord(issued, served), streamRecord(served, clicked)];
  return records.slice(0, { bid: 1, impression: 2, click: 3 }[last]);
}

const sum = (values: Record<string, Record<string, number>>, name: string) =>
  Object.values(values).reduce((total, counts) => total + (counts[name] ?? 0), 0);

describe('A breakdown', () => {
  it('counts a bid, its impression, its charge, and its click by every value of the bid', async () => {
    const { count, read } = createStreams('one');
    const more = { topic: 'a1b2c3', domain: 'shoes.example', variant: 'card', creativeVersion: 'v1' };
    await count(life(more, 'click'));
    const ofKey = { bids: 1, impressions: 1, clicks: 1, charged_10000: 4_000 };
    expect(await read(KEY, 'country')).toEqual({ US: ofKey });
    expect(await read(KEY, 'domain')).toEqual({ 'shoes.example': ofKey });
    expect(await read(KEY, 'variant')).toEqual({ card: ofKey });
    const ofCampaign = { impressions: 1, clicks: 1, spend: 4_000 };
    expect(await read(CAMPAIGN, 'country')).toEqual({ US: ofCampaign });
    expect(await read(CAMPAIGN, 'publisher')).toEqual({ key_1: ofCampaign });
    expect(await read(CAMPAIGN, 'topic')).toEqual({ a1b2c3: ofCampaign });
    expect(await read(CAMPAIGN, 'creative')).toEqual({ v1: ofCampaign });
    expect(await read(CAMPAIGN, 'variant')).toEqual({ card: ofCampaign });
  });

  it('counts bids of the previous version, which lack these values, as none', async () => {
    const { count, read } = createStreams('old');
    await count(life({ countryCode: '' }));
    for (const dimension of ['country', 'topic', 'creative', 'variant'] as const)
      expect(await read(CAMPAIGN, dimension)).toEqual({ none: { impressions: 1, spend: 4_000 } });
    expect(await read(KEY, 'domain')).toEqual({ none: { bids: 1, impressions: 1, charged_10000: 4_000 } });
  });

  it('counts no test traffic', async () => {
    const { count, read, pages } = createStreams('test mode');
    await count(life({ mode: 'test' }, 'click'));
    expect(await read(KEY, 'country')).toEqual({});
    expect(pages()).toEqual([]);
  });

  it('ignores the days before it and tallies of the previous version, which have no groups', async () => {
    const { service, deliver, tallies, run, read, keyDay } = createStreams('old tallies');
    await run('events/count', life({}), 'shard-1');
    const [tally] = service.db.items('key-tallies');
    const { groups: _, ...old } = tally!;
    tallies();
    await deliver('events/count-keys', [streamRecord(undefined, old, 'key-tallies')], 'tallies-1');
    expect(await keyDay()).toMatchObject({ bids: 1, impressions: 1 });
    expect(await read(KEY, 'country')).toEqual({});
  });

  it('counts a conversion on its day by the values of its bid, once, also if it was parked', async () => {
    const { service, run, read } = createStreams('conversions');
    const conversion = {
      ...{ owner: 'alice', conversionId: 'order-1', clickId: 'clk', bidId: 'bid', campaignId: 'cmp_1', mode: 'live' },
      ...{ keyOwner: 'publisher', keyId: 'key_1', countryCode: 'DE', variant: 'card', topic: 'a1b2c3' },
      ...{ userId: '', conversionType: 'sale', value: 3, currency: 'USD', at: Date.parse(`${DAY}T12:00:00Z`) },
    };
    const { keyId: _, countryCode: __, variant: ___, topic: ____, ...older } = conversion;
    const record = (conversionId: string, stored: object = conversion) => {
      untyped(service.db).write({ table: 'conversions', put: { ...stored, conversionId } });
      return streamRecord(undefined, { ...stored, conversionId }, 'conversions');
    };
    const [first, second, parked, old] = [record('1'), record('2'), record('3'), record('4', older)];
    for (const batch of [[first], [first, second], [old], [second, old]]) await run('events/count', batch, 'shard-c');
    for (let times = 0; times < 2; times++) await run('events/count', [parked]);
    const counted = (conversions: number) => ({ conversions, conversionValue: 3_000_000 * conversions });
    expect(await read(CAMPAIGN, 'country')).toEqual({ DE: counted(3), none: counted(1) });
    expect(await read(CAMPAIGN, 'publisher')).toEqual({ key_1: counted(3), none: counted(1) });
    expect(await read(CAMPAIGN, 'variant')).toEqual({ card: counted(3), none: counted(1) });
    expect(await read(CAMPAIGN, 'creative')).toEqual({ none: counted(4) });
  });
});

describe('Values of a day', () => {
  it('have their own counts up to the first hundred, and further ones are counted as other, whatever the batches', async () => {
    const { count, read } = createStreams('hundred');
    const lives = Array.from({ length: 130 }, (_, n) => life({ variant: `v${n}`, topic: `t${n}` }));
    await count(lives.slice(0, 3).flat());
    for (let at = 3; at < lives.length; at += 20) await count(lives.slice(at, at + 20).flat());
    await count(life({ variant: 'v2' }));
    await count(life({ variant: 'v129' }));
    for (const [subject, counted] of [
      [CAMPAIGN, 'impressions'],
      [KEY, 'bids'],
    ] as const) {
      const { other, ...own } = await read(subject, 'variant');
      expect(Object.keys(own)).toHaveLength(100);
      expect(own.v2?.[counted]).toBe(2);
      expect(other?.[counted]).toBe(31);
      expect(sum({ ...own, other: other! }, counted)).toBe(132);
    }
    const { other, none, ...topics } = await read(CAMPAIGN, 'topic');
    expect(Object.keys(topics)).toHaveLength(100);
    expect([other?.impressions, none?.impressions]).toEqual([32, undefined]); // none comes after the first hundred
  });

  it('include all countries, in rows of at most 6 KB', async () => {
    const { count, read, pages } = createStreams('countries');
    const label = (n: number) => `${n}`.padStart(64, 'x');
    const lives = COUNTRIES.map((countryCode, n) =>
      life(
        {
          countryCode,
          variant: label(n),
          domain: label(n),
          topic: label(n),
          creativeVersion: label(n),
          keyId: 'key_1',
        },
        'click',
      ),
    );
    for (let shard = 0; shard < 14; shard++) await count(lives.flat(), `shard-${shard}`); // the shards of two days
    for (const subject of [CAMPAIGN, KEY]) {
      const countries = await read(subject, 'country');
      expect(Object.keys(countries).sort()).toEqual([...COUNTRIES].sort());
      for (const { impressions, clicks } of Object.values(countries)) expect([impressions, clicks]).toEqual([14, 14]);
    }
    expect(pages().length).toBeGreaterThan(30);
    expect(Math.max(...pages().map(itemBytes))).toBeLessThanOrEqual(6 * 1024);
  });

  it('are counted without refused writes once they are stored, even if a page has no place for all of them', async () => {
    const { service, deliver, tallies, count, pages } = createStreams('refused');
    const lives = COUNTRIES.slice(0, 30).map((countryCode, n) => life({ countryCode, domain: `d${n}.example` }));
    await count(lives.flat());
    await deliver('events/count', lives.flat(), 'shard-2');
    let [written, refused] = [0, 0];
    const db: Database = {
      ...service.db,
      async write(write, returning) {
        const answer = await service.db.write(write, returning);
        if (answer.ok) written++;
        else refused++;
        return answer;
      },
    };
    await deliver('events/count-keys', tallies(), 'tallies-1', db);
    expect([written, refused]).toEqual([pages().length, 0]);
  });

  it('are counted without reads and calls of other pages by a function that counted on these pages before', async () => {
    const { service, run, tallies, read } = createStreams('remembered');
    const calls: string[] = [];
    const db: Database = {
      ...service.db,
      get(table, key) {
        calls.push('get');
        return service.db.get(table, key);
      },
      write(write, returning) {
        calls.push('update' in write ? write.update : 'put');
        return service.db.write(write, returning);
      },
    };
    const countKeys = await loadWorker('events/count-keys', { ...service.effects, db });
    const countAll = async (records: DynamoDBRecord[]) => {
      await run('events/count', records, 'shard-1');
      await countKeys({ Records: tallies(), shardId: 'tallies-1' });
    };
    const last = {
      countryCode: COUNTRIES[79]!,
      variant: 'v79',
      topic: 't79',
      domain: 'd79.example',
      creativeVersion: 'c79',
    };
    const lives = Array.from({ length: 80 }, (_, n) =>
      life({
        ...{ countryCode: COUNTRIES[n]!, variant: `v${n}`, topic: `t${n}` },
        ...{ domain: `d${n}.example`, creativeVersion: `c${n}` },
      }),
    );
    await countAll(lives.flat());
    calls.length = 0;
    await countAll(life(last));
    // The key's day and its three pages, and the campaign's first page, which has the key, and its four pages.
    expect(calls).toHaveLength(4 + 5);
    for (const call of calls) expect(call).toContain('ADD');
    expect((await read(KEY, 'domain'))['d79.example']?.bids).toBe(2);
  });

  it('are written in expressions of at most 4 KB and 300 operators', async () => {
    const { service, deliver, tallies } = createStreams('expressions');
    const expressions: string[] = [];
    const watch = ({ when = '', ...write }: Write) => expressions.push(when, 'update' in write ? write.update : '');
    const db: Database = {
      ...service.db,
      write(write, returning) {
        watch(write as Write);
        return service.db.write(write, returning);
      },
    };
    const label = (n: number) => `${n}`.padStart(64, 'x');
    const lives = COUNTRIES.map((countryCode, n) =>
      life({ countryCode, variant: label(n), domain: label(n), topic: label(n), creativeVersion: label(n) }, 'click'),
    );
    for (let times = 0; times < 2; times++) {
      await deliver('events/count', lives.flat(), `shard-${times}`);
      await deliver('events/count-keys', tallies(), 'tallies-1', db);
    }
    expect(expressions.length).toBeGreaterThan(60);
    expect(Math.max(...expressions.map((one) => one.length))).toBeLessThanOrEqual(4_096);
    const countOperators = (text: string) => text.match(/=|<|\+|\bAND\b|\bOR\b|\w+\(/g)?.length ?? 0;
    expect(Math.max(...expressions.map(countOperators))).toBeLessThanOrEqual(300);
  });
});

describe('Breakdowns add up to the totals', () => {
  /** Bids with random values, of which the first are frequent. */
  function createLives(random: () => number): DynamoDBRecord[] {
    const oneOf = (count: number) => Math.floor(random() ** 2 * count);
    return Array.from({ length: 150 }, () =>
      life(
        {
          countryCode: COUNTRIES[oneOf(60)]!,
          ...(random() < 0.9 && { variant: `v${oneOf(160)}` }),
          ...(random() < 0.9 && { topic: `t${oneOf(40)}`, domain: `d${oneOf(30)}.example` }),
        },
        (['bid', 'impression', 'click'] as const)[oneOf(3)],
      ),
    ).flat();
  }

  /**
   * A store that is unavailable at random, before or after a write, and that can never write one row, so that its records are parked. The
   * row can skip them if transactions write it.
   */
  function failing(db: Database, random: () => number, poisoned: string, canSkip: boolean): Database {
    const fail = async <T>(writes: unknown, act: () => Promise<T>): Promise<T> => {
      const isRefused = !(canSkip && Array.isArray(writes));
      if (isRefused && JSON.stringify(writes).includes(`:"${poisoned}"}`)) throw new TypeError('never');
      const chance = random();
      if (chance < 0.05) throw new Unavailable('no');
      const done = await act();
      if (chance < 0.12) throw new Unavailable('lost');
      return done;
    };
    return {
      ...db,
      write: (write, returning) => fail(write, () => db.write(write, returning)),
      transact: (writes, onConflict) => fail(writes, () => db.transact(writes, onConflict)),
    };
  }

  const ROWS = [
    'bids shard-1',
    DAY,
    `by#${DAY}`,
    `by#variant#${DAY}#1`,
    `by#variant#${DAY}#3`,
    `by#country#${DAY}#2`,
    `by#topic#${DAY}#1`,
  ];
  it.each([
    ...[...ROWS, 'none'].map((row, at) => [at + 1, row, 'cannot skip', false] as const),
    ...ROWS.map((row, at) => [at + 11, row, 'can skip', true] as const),
  ])(
    'after repeats, split batches, several shards, lost responses, and parked records, seed %d, without the row %s, which %s them',
    async (seed, poisoned, _, canSkip) => {
      const random = generator(seed);
      const { service, parked, deliver, tallies, replay, read, keyDay } = createStreams(`sums ${seed}`);
      const db = failing(service.db, random, poisoned, canSkip);
      const records = createLives(random);
      for (const { dynamodb } of records) {
        const { id } = dynamodb!.NewImage!;
        await untyped(service.db).write({ table: 'bids', put: { ...clickedBid(), id: id!.S } });
      }
      tallies();
      const shards = [0, 1, 2].map((shard) => records.filter((_, at) => at % 3 === shard));
      const all: DynamoDBRecord[] = [];
      while (shards.some((left) => left.length > 0)) {
        const shard = Math.floor(random() * shards.length);
        const batch = shards[shard]!.splice(0, 1 + Math.floor(random() * 40));
        await deliver('events/count', batch, `shard-${shard}`, db);
        // Lambda may not have received the answer, and the row may be mended by then.
        if (canSkip && random() < 0.3) await deliver('events/count', batch, `shard-${shard}`);
        if (random() < 0.3) await deliver('events/count', batch.slice(0, 5), `shard-${shard}`, db);
        all.push(...tallies());
      }
      const ofShards = [0, 1].map((shard) => all.filter((_, at) => at % 2 === shard));
      while (ofShards.some((left) => left.length > 0)) {
        const shard = Math.floor(random() * ofShards.length);
        const batch = ofShards[shard]!.splice(0, 1 + Math.floor(random() * 6));
        await deliver('events/count-keys', batch, `tallies-${shard}`, db);
        if (canSkip && random() < 0.3) await deliver('events/count-keys', batch, `tallies-${shard}`);
        if (random() < 0.3) await deliver('events/count-keys', batch, `tallies-${shard}`, db);
      }
      expect(parked.length > 0).toBe(poisoned !== 'none');
      const again = [...parked];
      await replay();
      parked.push(...again);
      await replay(); // a message of the queue may arrive twice
      await deliver('events/count-keys', tallies(), 'tallies-0');

      const total = (kind: string) => records.filter(({ dynamodb }) => kindOf(dynamodb!) === kind).length;
      const expected = { bids: total('bid'), impressions: total('impression'), clicks: total('click') };
      expect(await keyDay()).toMatchObject({ ...expected, charged_10000: 4_000 * expected.impressions });
      for (const dimension of KEY_DIMENSIONS) {
        const values = await read(KEY, dimension);
        for (const name of ['bids', 'impressions', 'clicks'] as const)
          expect([dimension, name, sum(values, name)]).toEqual([dimension, name, expected[name]]);
        expect(sum(values, 'charged_10000')).toBe(4_000 * expected.impressions);
      }
      for (const dimension of CAMPAIGN_DIMENSIONS) {
        const values = await read(CAMPAIGN, dimension);
        for (const name of ['impressions', 'clicks'] as const)
          expect([dimension, name, sum(values, name)]).toEqual([dimension, name, expected[name]]);
        expect(sum(values, 'spend')).toBe(4_000 * expected.impressions);
      }
    },
  );

  const kindOf = ({ OldImage, NewImage }: NonNullable<DynamoDBRecord['dynamodb']>): Facts =>
    !OldImage ? 'bid' : NewImage?.click ? 'click' : 'impression';
});
