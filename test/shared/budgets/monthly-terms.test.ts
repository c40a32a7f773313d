import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { Bid, Issued, RecordedTerms } from '../../../shared/ads/bids/bid.ts';
import { readTerms } from '../../../shared/budgets/monthly-terms.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { itemBytes } from '../../../tools/cost/table-use.ts';
import { generator } from '../../../tools/random.ts';
import { createCountStreams } from '../../memory/count-streams.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { clickedBid, issuedBid, servedBid } from '../../sample-records.ts';
import { MORNING } from '../../service.ts';
import { streamRecord } from '../../stream-record.ts';

const MONTH = '2026-11';
const SHOES: RecordedTerms = { keywords: ['Running Shoes'], phrases: ['half marathon'], reportable: [0] };

/** Streams whose counts are read as reports do. */
function createStreams(seed: string) {
  const streams = createCountStreams(seed);
  const { service } = streams;
  const read = async (month = MONTH) => {
    const { named, others } = await readTerms(service.effects, 'cmp_1', month);
    return { named: named.map(({ term, impressions, clicks }) => [term, impressions, clicks]), others };
  };
  const rows = (prefix: string) => service.db.items('ledgers').filter(({ row }) => String(row).startsWith(prefix));
  return { ...streams, read, rows };
}

type Life = Partial<Omit<Issued, 'terms'>> & { terms?: RecordedTerms | string[]; isClicked?: boolean; at?: number };

let bids = 0;
/** The records of a bid's life: its impression, and its click if wanted. */
function life({ isClicked, at = MORNING, terms = SHOES, ...more }: Life = {}): DynamoDBRecord[] {
  const id = `bid-${++bids}`;
  const issued: Bid = issuedBid({ id, terms: {}, ...more });
  const { conversationCode: _, ...own } = more;
  const day = new Date(at).toISOString().slice(0, 10);
  const served: Bid = { ...servedBid({ id, terms, ...own }), day, impressionCounted: true };
  const records = [streamRecord(issued, served)];
  if (!isClicked) return records;
  return [...records, streamRecord(served, { ...clickedBid({ id, terms, ...own }), day, impressionCounted: true })];
}

/** One impression in each of several conversations of an owner. */
const conversations = (keyOwner: string, codes: string, more: Life = {}) =>
  [...codes].flatMap((code) => life({ keyOwner, conversationCode: `${code}000`, ...more }));

const NOTHING = { impressions: 0, clicks: 0 };
const named = (impressions: number, clicks = 0) => [
  ['k:Running Shoes', impressions, clicks],
  ['p:half marathon', impressions, clicks],
];
const grouped = (impressions: number, clicks = 0) => ({ impressions: 2 * impressions, clicks: 2 * clicks });

describe('A term of a month', () => {
  it.each([
    ['5 conversations of 2 owners', () => [...conversations('ann', 'abcd'), ...conversations('ben', 'a')]],
    ['5 conversations of 5 owners', () => [...'12345'].flatMap((owner) => conversations(owner, 'a'))],
    ['many of one owner, then one of another', () => [...conversations('ann', 'abcdefgh'), ...conversations('b', 'a')]],
  ])('is named after %s', async (_, make) => {
    const { count, read } = createStreams('named');
    const records = make();
    await count(records);
    expect(await read()).toEqual({ named: named(records.length), others: NOTHING });
  });

  it.each([
    ['4 conversations', () => [...conversations('ann', 'abc'), ...conversations('ben', 'a')]],
    ['5 conversations of one owner', () => conversations('ann', 'abcde')],
    [
      '4 conversations, however often each is shown',
      () => [...conversations('ann', 'abbabbb'), ...conversations('ben', 'aca')],
    ],
    [
      'conversations of the keys of the advertiser',
      () => [...conversations('ann', 'abcd'), ...conversations('alice', 'ab')],
    ],
    ['conversations without a name', () => [...conversations('ann', 'abcd'), ...life({ keyOwner: 'ben' })]],
  ])('is not named, but counted with the others, after %s', async (_, make) => {
    const { count, read } = createStreams('grouped');
    const records = make();
    await count(records);
    expect(await read()).toEqual({ named: [], others: grouped(records.length) });
  });

  it('is named with all its counts, whichever batches and shards its conversations arrive in', async () => {
    const { count, read } = createStreams('batches');
    await count(conversations('ann', 'ab', { isClicked: true }));
    expect(await read()).toEqual({ named: [], others: grouped(2, 2) });
    await count(conversations('ben', 'a'), 'shard-2');
    await count(conversations('ann', 'bbc'), 'shard-3');
    expect(await read()).toEqual({ named: [], others: grouped(6, 2) });
    await count(conversations('ben', 'b'));
    expect(await read()).toEqual({ named: named(7, 2), others: NOTHING });
    await count(life({ isClicked: true }));
    expect(await read()).toEqual({ named: named(8, 3), others: NOTHING });
  });

  it('is counted with each impression and click, and the click of an ad that is served later with its impression', async () => {
    const { count, read } = createStreams('click first');
    const { click } = clickedBid();
    const issued = issuedBid({ id: 'early', terms: {} });
    const clicked = { ...issued, click };
    const served = { ...servedBid({ id: 'early', terms: SHOES }), click };
    await count([streamRecord(issued, clicked), streamRecord(clicked, served)]);
    expect((await read()).others).toEqual(grouped(1, 1));
  });

  it('counts a click in the month in which it happened', async () => {
    const { service, count, read } = createStreams('months');
    service.clock.advance(-20 * 86_400_000);
    await count(life({ isClicked: true, at: Date.parse('2026-10-31T23:59:00Z') }));
    expect((await read('2026-10')).others).toEqual(grouped(1));
    expect((await read()).others).toEqual(grouped(0, 1));
  });

  it('is shared by the conversations of one month only', async () => {
    const { service, count, read } = createStreams('two months');
    service.clock.advance(-20 * 86_400_000);
    await count(conversations('ann', 'abcd', { at: Date.parse('2026-10-31') }));
    await count(conversations('ben', 'a'));
    expect(await read('2026-10')).toEqual({ named: [], others: grouped(4) });
    expect(await read()).toEqual({ named: [], others: grouped(1) });
  });

  it('is never one of test traffic, and has no phrase of records that do not say which ones reports may name', async () => {
    const { count, read } = createStreams('not counted');
    await count(conversations('ann', 'abcd', { mode: 'test', isClicked: true }));
    await count(conversations('ben', 'ab', { terms: ['running shoes kowalska'] }));
    expect(await read()).toEqual({ named: [], others: NOTHING });
    for (const owner of ['ann', 'ben'])
      await count(conversations(owner, 'abcd', { terms: { keywords: ['Gin'], phrases: ['gin', 'vodka'] } }));
    expect(await read()).toEqual({ named: [['k:Gin', 8, 0]], others: NOTHING });
  });
});

describe('What is stored of a month', () => {
  it('names no term before enough conversations shared it, and no conversation afterwards', async () => {
    const { service, count, rows } = createStreams('stored');
    await count(conversations('ann', 'abcd'));
    const stored = () => JSON.stringify(service.db.items('ledgers')) + JSON.stringify(service.db.items('key-tallies'));
    expect(JSON.stringify(service.db.items('ledgers'))).not.toMatch(/shoes|marathon/i);
    const [seen] = rows('seen#');
    expect(seen).toMatchObject({ row: 'seen#2026-11', ttl: Date.parse('2026-12-09') / 1000 });
    expect(stored()).not.toContain('a000');
    expect(seen!.terms.map((term: string) => term.length)).toEqual([26, 26]);
    await count(conversations('ben', 'a'));
    const [after] = rows('seen#');
    expect(after!.terms.map((term: string) => term.slice(6))).toEqual(['!', '!']);
    expect(rows('terms#')).toMatchObject([{ t0: 'k:Running Shoes', t1: 'p:half marathon' }]);
    expect(rows('terms#')[0]!.ttl).toBeGreaterThan(Date.parse('2028-11-29') / 1000);
  });

  it('counts the records that arrive after the hashes expired with the others', async () => {
    const { service, count, read, rows } = createStreams('late');
    await count([...conversations('ann', 'abcd'), ...conversations('ben', 'a')]);
    service.clock.advance(Date.parse('2026-12-09') - service.clock.now());
    await count(conversations('cem', 'a'));
    expect(await read()).toEqual({ named: named(5), others: grouped(1) });
    expect(rows('seen#')).toMatchObject([{ revision: 1 }]);
  });

  it('has at most 200 terms, in rows of at most 6 KB, and counts later terms with the others', async () => {
    const { count, read, rows } = createStreams('cap');
    const terms = Array.from({ length: 250 }, (_, n) => String(n).padEnd(150, 'running shoes '));
    for (const owner of ['ann', 'ben', 'cem'])
      for (const code of 'ab')
        await count(
          terms.flatMap((keyword) => conversations(owner, code, { terms: { keywords: [keyword] }, isClicked: true })),
        );
    const found = await read();
    expect(found.named).toHaveLength(200);
    expect(found.named.every(([, impressions, clicks]) => impressions === 6 && clicks === 6)).toBe(true);
    expect(found.others).toEqual({ impressions: 300, clicks: 300 });
    for (const row of [...rows('seen#'), ...rows('terms#')]) expect(itemBytes(row), row.row).toBeLessThan(6_144);
  });

  it('has rows of at most 6 KB if no term ever has enough conversations', async () => {
    const { count, rows } = createStreams('rare');
    for (let n = 0; n < 250; n++) await count(conversations('ann', 'abcdef', { terms: { keywords: [`shoes ${n}`] } }));
    expect(itemBytes(rows('seen#')[0]!)).toBeLessThan(6_144);
  });

  it('drops the positions of expired shards', async () => {
    const { service, deliver, tallies, rows } = createStreams('positions');
    service.clock.advance(Date.parse('2026-11-01') - service.clock.now());
    const countPositions = () => Object.keys(rows('terms#')[0]!).filter((name) => name.startsWith('at_')).length;
    let most = 0;
    for (let shard = 0; shard < 100; shard++) {
      service.clock.advance(4 * 3_600_000);
      await deliver('events/count', life(), 'shard-1');
      await deliver('events/count-keys', tallies(), `tallies-${shard}`);
      most = Math.max(most, countPositions());
    }
    expect(most).toBeLessThan(25);
    expect(rows('terms#')).toMatchObject([{ i0: 100, i1: 100 }]);
  });
});

describe('Terms add up', () => {
  it.each(Array.from({ length: 10 }, (_, seed) => [seed + 1]))(
    'after repeats, split batches, several shards, lost responses, and parked records, seed %d',
    async (seed) => {
      const streams = createStreams(`sums ${seed}`);
      const { service, deliver, tallies, replay, read } = streams;
      const random = generator(seed);
      const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
      let [impressions, clicks] = [0, 0];
      const poisoned = [undefined, 'terms#2026-11#0', 'terms#2026-11#1', 'seen#2026-11', 'bids shard-1'][seed % 5];
      /** Refuses the writes of one row as DynamoDB refuses what can never be written, and loses every tenth response. */
      const failing: Database = {
        ...service.db,
        async write(write, returning) {
          const key: Record<string, string> = 'put' in write ? (write.put as never) : write.key;
          if (poisoned && (key.row ?? key.shard) === poisoned) throw new TypeError('refused');
          const written = await service.db.write(write, returning);
          if (random() < 0.1) throw new Unavailable('the response is lost');
          return written;
        },
      };
      for (let batch = 0; batch < 12; batch++) {
        const records = Array.from({ length: 12 }, () => {
          const keywords = Array.from(
            { length: 1 + Math.floor(random() * 3) },
            () => `shoes ${Math.floor(random() * 25)}`,
          );
          const isClicked = random() < 0.3;
          const unique = [...new Set(keywords)];
          impressions += unique.length;
          if (isClicked) clicks += unique.length;
          const more = { conversationCode: `${oneOf([...'abcdefgh'])}000`, keyOwner: oneOf(['ann', 'ben', 'cem']) };
          return life({ ...more, isClicked, terms: { keywords: unique } });
        }).flat();
        const shard = oneOf(['shard-1', 'shard-2']);
        const db = batch % 3 === 1 ? failing : undefined;
        await deliver('events/count', records, shard, db);
        if (random() < 0.5) await deliver('events/count', records.slice(0, 7), shard, db);
        const found = tallies();
        await deliver('events/count-keys', found, 'tallies-1', db);
        if (random() < 0.5) await deliver('events/count-keys', found, 'tallies-1', db);
      }
      const again = [...streams.parked];
      expect(again.length > 0).toBe(poisoned !== undefined);
      await replay();
      streams.parked.push(...again);
      await replay();
      const { named: terms, others } = await read();
      expect([
        terms.reduce((sum, [, count]) => sum + Number(count), others.impressions),
        terms.reduce((sum, [, , count]) => sum + Number(count), others.clicks),
      ]).toEqual([impressions, clicks]);
      expect(terms.length).toBeGreaterThan(0);
    },
  );

  it('if the previous version stores tallies in between, which leave earlier terms in place', async () => {
    const { service, count, deliver, read } = createStreams('rollout');
    await count(conversations('ann', 'ab'));
    const [tally] = service.db.items('key-tallies');
    const position = Object.keys(tally!).find((name) => name.startsWith('at_'))!;
    const later = { ...tally, [position]: `${'z'.repeat(23)}@1` };
    await deliver('events/count-keys', [streamRecord(undefined, later, 'key-tallies')], 'tallies-1');
    expect((await read()).others).toEqual(grouped(2));
    expect(await untyped(service.db).get('ledgers', { campaignId: 'cmp_1', row: 'by#2026-11-20' })).toMatchObject({
      ttl: expect.any(Number),
    });
  });
});
