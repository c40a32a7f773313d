import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { loadWorker } from '../../infra/local/functions.ts';
import { toClickId } from '../../shared/ads/bids/bid.ts';
import { createServing } from '../../shared/ads/bids/serve.ts';
import { createBidStore } from '../../shared/ads/bids/store.ts';
import { createConversionStore } from '../../shared/ads/conversions/store.ts';
import type { Campaign } from '../../shared/campaigns/campaign.ts';
import type { SpendStats } from '../../shared/campaigns/spend-stats.ts';
import type { WorkerName } from '../../shared/http/operations/workers.ts';
import { MINUTE_MS } from '../../shared/platform/clock.ts';
import { fromUsd } from '../../shared/platform/values/money.ts';
import { generator } from '../../tools/random.ts';
import type { MemoryChange } from '../memory/database.ts';
import { interleave, SHARDS, unreliableFault } from '../memory/gates.ts';
import { CLICK, createBudgetService, filterCountable, OWNER } from '../memory/service.ts';
import type { AnyItem } from '../memory/untyped-database.ts';
import { selectSeeds } from '../run-size.ts';
import { createTestClock } from '../service.ts';
import { streamRecord } from '../stream-record.ts';

const SEEDS = selectSeeds(30);
const BIDS = 40;

const SHOWN = { conversation: '', userQuery: '', placement: { type: '', position: '' }, userAgent: '' };

/**
 * Creates bids of three campaigns, and returns the stream's changes. Half of the bids are clicked and a quarter convert. Legacy bids
 * may be clicked before they are served, or without being served. Every other seed uses shards.
 */
async function traffic(seed: number, random: () => number) {
  const isSharded = seed % 2 === 0;
  const service = createBudgetService(`stream ${seed}`, createTestClock(), isSharded ? SHARDS.settings : {});
  const campaigns: Campaign[] = [];
  for (let index = 0; index < 3; index++) campaigns.push(await service.campaign({ budget: 1 }));
  const meeting = service.instance(SHARDS.gate(async (_, act) => act(), random));
  const serve = isSharded ? createServing(meeting, SHARDS.sizes) : createServing(service.effects);
  const bids = createBidStore(service.effects);
  for (let index = 0; index < BIDS; index++) {
    const campaign = campaigns[Math.floor(random() * 3)]!;
    const issued = await service.bid(campaign, Math.ceil(random() * 9_000) / 1_000);
    const isLegacy = random() < 0.4;
    const bid = isLegacy ? await bids.issueLegacy(issued, campaign, { ...CLICK, ...SHOWN }) : issued;
    const isClickedFirst = isLegacy && random() < 0.5;
    if (!isClickedFirst) await serve(bid);
    if (isClickedFirst || random() < 0.5) {
      await bids.attemptClick(bid.id, { ...CLICK, at: service.clock.now() }, null);
      const bought = { clickId: toClickId(bid.id), conversionType: 'purchase', value: index + 0.1 };
      if (random() < 0.5) await createConversionStore(service.effects).record(OWNER, bought);
    }
    if (isClickedFirst && random() < 0.5) await serve(bid);
    service.clock.advance(Math.floor(60 * 60 * 1000 * random()));
  }
  return { service, campaigns, changes: filterCountable(service.db.changes) };
}

/** The changes in another order that keeps the order per bid, as stream shards deliver them. */
function shuffled(changes: MemoryChange[], random: () => number): MemoryChange[] {
  const items = new Map<string, MemoryChange[]>();
  for (const change of changes) {
    const item = change.now!.conversionId ?? change.now!.id;
    items.set(item, [...(items.get(item) ?? []), change]);
  }
  const left = [...items.values()];
  const order: MemoryChange[] = [];
  while (left.length > 0) {
    const at = Math.floor(random() * left.length);
    order.push(left[at]!.shift()!);
    if (left[at]!.length === 0) left.splice(at, 1);
  }
  return order;
}

const isBoth = (bid: AnyItem | undefined): boolean => bid?.state === 'served' && bid.click !== undefined;

type Service = Awaited<ReturnType<typeof traffic>>['service'];

/** The counts of the records compared with the ledger, its days, and bidding. */
async function expectExact(service: Service, campaign: Campaign): Promise<void> {
  const performance = await service.performance(campaign);
  const days = await service.days(campaign);
  const total = (name: 'impressions' | 'clicks' | 'conversions' | 'spend' | 'conversionValue') =>
    days.reduce((sum, day) => sum + day[name], 0);
  expect(total('spend')).toBe(performance.spent);
  expect(total('impressions')).toBe(performance.impressions);
  expect(total('clicks')).toBe(performance.clicks);
  expect(total('conversions')).toBe(performance.conversions);
  const bought = service.db.items('conversions').filter(({ campaignId }) => campaignId === campaign.id);
  expect(performance.conversionValue).toBe(bought.reduce((sum, { value }) => sum + fromUsd(value), 0));
  expect(total('conversionValue')).toBe(performance.conversionValue);
  const { clicks, chargedClicks, conversions, chargedConversions, day, dailyBudget } = performance;
  const spentToday = days.find(({ date }) => date === day)?.spend ?? 0;
  const stats = await service.stats(campaign);
  expect(stats).toMatchObject({ clicks, chargedClicks, conversions, chargedConversions, day });
  const unpublished = spentToday - (stats as unknown as SpendStats).spentToday;
  expect(unpublished).toBeGreaterThanOrEqual(0);
  expect(unpublished).toBeLessThan(dailyBudget / 100);
}

interface Shard {
  shardId: string;
  records: DynamoDBRecord[];
}

/** Two shards of bids and one of conversions. Some sequence numbers have one digit, others forty. */
function toShards(changes: MemoryChange[]): Shard[] {
  const shards: Shard[] = ['a', 'b', 'c'].map((name) => ({ shardId: `shardId-0000000${name}`, records: [] }));
  for (const [at, { table, old, now }] of changes.entries()) {
    const record = streamRecord(old, now, table);
    record.dynamodb!.SequenceNumber = String(at < 10 ? at + 1 : 10n ** 39n + BigInt(at));
    const shard = table === 'conversions' ? 2 : String(now!.id).charCodeAt(0) % 2;
    shards[shard]!.records.push(record);
  }
  return shards;
}

/** The key tallies of batches of bids, as the stream delivers them. */
const toTallyShard = (service: Service): Shard => ({
  shardId: 'shardId-0000000d',
  records: service.db.changes
    .filter(({ table }) => table === 'key-tallies')
    .map(({ now }) => streamRecord(undefined, now, 'key-tallies')),
});

/** The sum of all days of all keys. */
function sumReports(service: Service) {
  const days = service.db.items('key-days').filter(({ day }) => !day.startsWith('mark#'));
  const sum = (name: string) => days.reduce((total, day) => total + (day[name] ?? 0), 0);
  return { bids: sum('bids'), impressions: sum('impressions'), clicks: sum('clicks') };
}

describe('The shards of the streams', () => {
  it('are counted exactly with batches resized, bisected, repeated later, and a failing store', {
    tags: 'whole',
  }, async () => {
    let repeated = 0;
    let crashed = 0;
    for (const seed of SEEDS) {
      const random = generator(seed);
      const { service, campaigns, changes } = await traffic(seed, random);
      const gate = interleave(random, unreliableFault(random, 0.1, 0.05));
      const instances = [1, 2, 3].map(() => service.instance(gate));
      const run = async (
        worker: WorkerName,
        shardId: string,
        Records: DynamoDBRecord[],
        by = instances[Math.floor(random() * 3)]!,
      ) => (await loadWorker(worker, by))({ Records, shardId, state: {} });
      const deliver = async (worker: WorkerName, { shardId, records }: Shard): Promise<void> => {
        for (let at = 0; at < records.length; ) {
          const size = 1 + Math.floor(random() * 7);
          const batch = records.slice(at, at + size);
          const { batchItemFailures, state } = await run(worker, shardId, batch);
          expect(state).toEqual({});
          const failed = batchItemFailures[0]?.itemIdentifier;
          const through = failed
            ? batch.findIndex(({ dynamodb }) => dynamodb!.SequenceNumber === failed)
            : batch.length;
          // A crash after the counts: no record of the batch counts as processed, and the batch is retried with another size.
          if (random() < 0.2) crashed++;
          else at += through;
          if (random() < 0.2) {
            repeated++;
            const from = Math.floor(random() * at);
            await run(worker, shardId, records.slice(from, Math.min(at, from + 1 + Math.floor(random() * 9))));
          }
        }
      };
      const shards = toShards(changes);
      await Promise.all(shards.map((shard) => deliver('events/count', shard)));
      service.clock.advance(MINUTE_MS); // changed counts are published at most once a minute
      for (const { shardId, records } of shards) await run('events/count', shardId, records, service.effects);
      const tallies = toTallyShard(service);
      await deliver('events/count-keys', tallies);
      await run('events/count-keys', tallies.shardId, tallies.records, service.effects);
      expect(sumReports(service), `seed ${seed}`).toEqual({
        bids: changes.filter(({ now, old }) => !old && now!.issuedAt).length,
        impressions: changes.filter(({ now, old }) => now!.state === 'served' && old?.state === 'issued').length,
        clicks: changes.filter(({ now, old }) => now!.click && !old?.click).length,
      });
      const clicked = changes.filter(({ now, old }) => now!.click && !old!.click).length;
      const charged = changes.filter(({ now, old }) => isBoth(now) && !isBoth(old)).length;
      const performance = await Promise.all(campaigns.map(service.performance));
      const total = (of: 'clicks' | 'chargedClicks') => performance.reduce((sum, one) => sum + one[of], 0);
      expect([total('clicks'), total('chargedClicks')], `seed ${seed}`).toEqual([clicked, charged]);
      for (const campaign of campaigns) await expectExact(service, campaign);
    }
    expect(Math.min(repeated, crashed)).toBeGreaterThan(3 * SEEDS.length);
  });
});

describe('The streams of bids and conversions, record by record', () => {
  let uncharged = 0;
  it.each(SEEDS)(
    'are counted exactly with batches repeated, partial, out of order, at several instances, and a failing store (seed %d)',
    { tags: 'whole' },
    async (seed) => {
      const random = generator(seed);
      const { service, campaigns, changes } = await traffic(seed, random);
      const gate = interleave(random, unreliableFault(random, 0.1, 0.05));
      const instances = [1, 2, 3].map(() => service.instance(gate));
      const order = shuffled(changes, random);
      // Each batch starts anywhere, so most records arrive several times. A failed batch resumes at its failure.
      const deliver = async (batch: MemoryChange[], index: number): Promise<void> => {
        for (let rest = batch; rest.length > 0; ) {
          const { batchItemFailures } = await service.count(instances[index % 3]!, rest);
          if (batchItemFailures.length === 0) return;
          rest = rest.slice(batchItemFailures[0]);
        }
      };
      const batches = [];
      for (let at = 0; at < order.length; at += 5) batches.push(order.slice(Math.max(0, at - 3), at + 5));
      await Promise.all(batches.map(deliver));
      service.clock.advance(MINUTE_MS); // changed counts are published at most once a minute
      await deliver(order, 0);
      const clicked = changes.filter(({ now, old }) => now!.click && !old!.click).length;
      const charged = changes.filter(({ now, old }) => isBoth(now) && !isBoth(old)).length;
      uncharged += clicked - charged;
      const performance = await Promise.all(campaigns.map(service.performance));
      const total = (of: 'clicks' | 'chargedClicks') => performance.reduce((sum, one) => sum + one[of], 0);
      expect([total('clicks'), total('chargedClicks')], `seed ${seed}`).toEqual([clicked, charged]);
      for (const campaign of campaigns) await expectExact(service, campaign);
    },
  );
  it('contain clicks of ads that are never charged', { tags: 'whole' }, () => expect(uncharged).toBeGreaterThan(0));

  it('never publish lower counts to bidding', { tags: 'whole' }, async () => {
    for (const seed of SEEDS) {
      const random = generator(seed);
      const { service, campaigns, changes } = await traffic(seed, random);
      const before = service.db.changes.length;
      const instances = [1, 2, 3].map(() => service.instance(interleave(random)));
      const batches = shuffled(changes, random).map((change) => [change]);
      await Promise.all(batches.map((batch, index) => service.count(instances[index % 3]!, batch)));
      for (const { id } of campaigns) {
        const published = service.db.changes
          .slice(before)
          .flatMap(({ now }) => (now?.item === `funds#${id}` ? [now] : []));
        expect(published.length).toBeGreaterThan(0);
        for (const count of ['spent', 'impressions', 'clicks', 'chargedClicks', 'conversions', 'chargedConversions']) {
          const course = published.map((stats) => stats[count] as number);
          expect(course, count).toEqual(course.toSorted((a, b) => a - b));
        }
      }
    }
  });

  it('leave nothing of a campaign deleted before its last events arrived', async () => {
    const { service, campaigns, changes } = await traffic(1, generator(1));
    const gone = campaigns[0]!;
    await service.remove(gone);
    expect(await service.count(service.effects, changes)).toEqual({ batchItemFailures: [] });
    expect(await service.stats(gone)).toBeUndefined();
    expect((await service.days(gone)).length).toBeGreaterThan(0); // its spend remains for the statement
    for (const campaign of campaigns.slice(1)) await expectExact(service, campaign);
  });
});
