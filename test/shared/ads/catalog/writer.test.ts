import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { getLexicon } from '../../../../shared/ads/catalog/lexicon.ts';
import type { Campaign } from '../../../../shared/campaigns/campaign.ts';
import { toCampaignItem } from '../../../../shared/campaigns/items.ts';
import { publishSpendStats } from '../../../../shared/campaigns/publish-stats.ts';
import { createSpendStats } from '../../../../shared/campaigns/spend-stats.ts';
import type { Database, Query } from '../../../../shared/platform/database.ts';
import { generator } from '../../../../tools/random.ts';
import type { Gate } from '../../../memory/database.ts';
import { crashAt, interleave } from '../../../memory/gates.ts';
import { type AnyItem, untyped } from '../../../memory/untyped-database.ts';
import { scaleRuns, selectSeeds, selectVariants } from '../../../run-size.ts';
import { createSnapshotService } from './snapshot-service.ts';

const HOUR = 3_600_000;
/** When a process crashes: before or after a call of the store. */
const MOMENTS = ['before', 'after'] as const;

/** A database that adds the snapshot parts it writes to `written`. */
const watched = (db: Database, written: string[]): Database => ({
  ...db,
  async write(write, returning) {
    if ('put' in write && 'part' in write.put) written.push(write.put.part);
    return db.write(write, returning);
  },
});

describe('a snapshot', () => {
  it('gives a new instance the same data as the campaigns, so that it reads only newer changes', async () => {
    const world = await createSnapshotService('all');
    const { service, campaigns, clock, db } = world;
    await service.update(campaigns[0]!, { status: 'cancelled' });
    await service.update(campaigns[1]!, { status: 'paused' });
    await world.publish();
    const { upTo } = (await world.head())!;
    clock.advance(10_000);
    const queries: Query[] = [];
    const counting: Database = {
      ...db,
      query(query) {
        queries.push(query);
        return db.query(query);
      },
    };
    const known = await world.learn({ db: counting });
    expect(world.source()).toBe('snapshot');
    const back = queries.map(({ values }) => upTo - Number(values.since));
    expect(back).toEqual([10_000, 3_000, 3_000]); // for campaigns, and for spend stats
    expect(Object.keys(known)).toHaveLength(7);
    expect(known).toEqual(await world.truth());
  });

  it('is rewritten only if more than a tenth has changed', async () => {
    const world = await createSnapshotService('changed');
    const { service, clock } = world;
    let added = 0;
    /** Stored campaigns that are copies of the first. */
    const add = async (count: number) => {
      for (let i = 0; i < count; i++) {
        const id = `cmp_${String(added++).padStart(20, '0')}`;
        await world.db.write({
          table: 'campaigns',
          put: toCampaignItem({ ...world.campaigns[0]!, id, changedAt: clock.now() }),
        });
      }
    };
    await add(142);
    clock.advance(60_000);
    await world.publish();
    const writes = async () => {
      const written: string[] = [];
      await world.publish({ db: watched(world.db, written) }, getLexicon(), {});
      return written;
    };
    clock.advance(60_000);
    expect(await writes()).toEqual([]);
    await add(100);
    expect(await writes()).toEqual([]);
    await service.update(world.campaigns[3]!, { maxCpb: 7 });
    expect(await writes()).toEqual(['0', 'head']);
    expect(await world.learn()).toEqual(await world.truth());
  });

  it('does not restore campaigns deleted before or after it was written', async () => {
    const world = await createSnapshotService('deleted');
    const { service, campaigns, clock } = world;
    await world.publish();
    clock.advance(60_000);
    await service.remove(campaigns[0]!);
    clock.advance(60_000);
    await world.publish();
    clock.advance(60_000);
    await service.remove(campaigns[1]!);
    clock.advance(60_000);
    const known = await world.learn();
    expect(world.source()).toBe('snapshot');
    expect(Object.keys(known)).toEqual(campaigns.slice(2).map(({ id }) => id));
  });

  it('includes the spend stats of a campaign that could not bid when it was written', async () => {
    const world = await createSnapshotService('stats');
    const { service, campaigns, clock } = world;
    const { id } = campaigns[0]!;
    const stats = { ...createSpendStats(id), spent: 5_000, day: '2026-11-20', spentToday: 5_000, impressions: 2 };
    await publishSpendStats(service.effects, 'alice', stats);
    const cancelled = await service.update(campaigns[0]!, { status: 'cancelled' });
    clock.advance(60_000);
    await world.publish();
    clock.advance(60_000);
    await service.update(cancelled, { status: 'active' });
    expect((await world.learn())[id]).toMatchObject({ campaign: { version: 3 }, stats });
    expect(world.source()).toBe('snapshot');
  });

  it('belongs to one lexicon version: another version reads the campaigns until it has its own', async () => {
    const world = await createSnapshotService('lexicon');
    const newer = { ...getLexicon(), version: 'newer' };
    await world.publish();
    const known = await world.learn({}, newer);
    expect(world.source()).toBe('index');
    expect(Object.values(known).map(({ campaign }) => campaign.profile.v)).toEqual(Array(8).fill('newer'));
    world.clock.advance(60_000);
    await world.publish({}, newer);
    expect(await world.learn({}, newer)).toEqual(known);
    expect(world.source()).toBe('snapshot');
    expect(await world.learn()).toEqual(await world.truth());
    expect(world.source()).toBe('index'); // the campaigns, because its snapshot does not exist yet
  });

  it('is rebuilt from the campaigns every six hours, regardless of changes', async () => {
    const world = await createSnapshotService('renewed');
    await world.publish();
    const missed = world.campaigns[0]!;
    await world.db.write({ table: 'campaigns', key: { owner: 'alice', item: `campaign#${missed.id}` }, remove: true });
    world.clock.advance(6 * HOUR - 1);
    await world.publish();
    expect(Object.keys(await world.learn())).toHaveLength(8);
    world.clock.advance(1);
    await world.publish();
    expect(Object.keys(await world.learn())).toHaveLength(7);
  });

  it('of an older format is neither read nor changed, because instances of the previous release use it', async () => {
    const world = await createSnapshotService('shape');
    const older = {
      name: `bidding 1 ${getLexicon().version}`,
      part: 'whole',
      buckets: 1,
      parts: [1],
      upTo: world.clock.now(),
    };
    await untyped(world.db).write({ table: 'snapshots', put: older });
    expect(await world.learn()).toEqual(await world.truth());
    await world.publish();
    expect(await world.db.get('snapshots', { name: older.name, part: 'whole' })).toEqual(older);
    await world.learn();
    expect(world.source()).toBe('snapshot');
  });
});

describe('a snapshot of large campaigns', () => {
  const LARGE = scaleRuns(170);
  /** A campaign of the size that the previous release allowed, with words that hardly compress. */
  const large = (campaign: Campaign, i: number): Campaign => {
    const word = createHash('shake256', { outputLength: 100_000 }).update(`${i}`).digest('base64');
    const id = `cmp_${String(i).padStart(20, '0')}`;
    return { ...campaign, id, targetAudience: { ...campaign.targetAudience, categories: [word] } };
  };

  it('is split into slices that fit into an item', { tags: 'whole' }, async () => {
    const world = await createSnapshotService('large');
    for (let i = 0; i < LARGE; i++)
      await world.db.write({ table: 'campaigns', put: toCampaignItem(large(world.campaigns[0]!, i)) });
    await world.publish({}, getLexicon(), {});
    const { slices, entries } = (await world.head())!;
    const sizes = (await world.slices()).map(({ body }) => body.length);
    expect(entries).toBe(8 + LARGE);
    expect(sizes).toHaveLength(slices);
    expect(slices).toBe(Math.ceil((LARGE * 134_000) / (384 * 1024)));
    expect(Math.max(...sizes)).toBeLessThan(400_000);
    const known = await world.learn();
    expect(world.source()).toBe('snapshot');
    expect(Object.keys(known)).toHaveLength(8 + LARGE);
    expect(known).toEqual(await world.truth());
  });

  it('may contain a campaign that is larger than a slice', async () => {
    const world = await createSnapshotService('larger');
    await world.db.write({ table: 'campaigns', put: toCampaignItem(large(world.campaigns[0]!, 1)) });
    await world.publish({}, getLexicon(), { sliceBytes: 20_000 });
    expect((await world.head())!.slices).toBeGreaterThanOrEqual(7);
    expect(await world.learn()).toEqual(await world.truth());
    expect(world.source()).toBe('index'); // the campaigns
    expect(world.warnings()).toEqual([]);
  });
});

describe('an invalid snapshot', () => {
  it.each<[string, (slices: AnyItem[]) => (AnyItem | undefined)[]]>([
    ['lacks a slice', ([, ...others]) => [undefined, ...others]],
    ['lacks its last slice', (slices) => [...slices.slice(0, -1), undefined]],
    [
      'has a slice that cannot be decompressed',
      ([first, ...others]) => [{ ...first, body: first!.body.slice(0, -9) }, ...others],
    ],
    [
      'has a slice of other content',
      ([first, ...others]) => [{ ...others[0], name: first!.name, part: first!.part }, ...others],
    ],
  ])('that %s is ignored in favor of the campaigns', async (_, damage) => {
    const world = await createSnapshotService('damaged');
    await world.publish();
    const slices = await world.slices();
    for (const [i, slice] of damage(slices).entries()) {
      const { name, part } = slices[i]!;
      await untyped(world.db).write({
        table: 'snapshots',
        ...(slice ? { put: slice } : { key: { name, part }, remove: true }),
      });
    }
    world.clock.advance(60_000);
    await world.service.remove(world.campaigns[0]!);
    const known = await world.learn();
    expect(world.warnings()).toMatchObject([{ message: 'the snapshot is damaged: reading the index' }]);
    expect(Object.keys(known)).toHaveLength(7);
    expect(known).toEqual(await world.truth());

    await world.publish();
    expect(await world.learn()).toEqual(known);
    expect(world.source()).toBe('snapshot');
    expect(world.warnings()).toHaveLength(1);
  });

  it.each([
    ['as old as half the life of a tombstone', 12 * HOUR],
    ['from a clock far ahead', -60_000],
  ])('that is %s is not read', async (_, later) => {
    const world = await createSnapshotService('age');
    await world.publish();
    world.clock.advance(later);
    await world.learn();
    expect(world.source()).toBe('index');
  });
});

describe('snapshot writers', () => {
  /** A snapshot, followed by changes of every kind. */
  async function changed(seed: string) {
    const world = await createSnapshotService(seed);
    await world.publish();
    world.clock.advance(60_000);
    const { service, campaigns } = world;
    await service.update(campaigns[0]!, { maxCpb: 6 });
    await service.update(campaigns[1]!, { status: 'cancelled' });
    await service.remove(campaigns[2]!);
    await service.campaign({ targetAudience: { keywords: ['newcomer'] } });
    world.clock.advance(30_000);
    return world;
  }

  it('may crash at any call of the store: instances and the next snapshot stay correct', {
    tags: 'whole',
  }, async () => {
    let crashes = 0;
    let isThrough = false;
    for (let nth = 1; !isThrough; nth++) {
      for (const when of selectVariants(MOMENTS, nth)) {
        const world = await changed(`crash ${when} ${nth}`);
        const { gate, crashed } = crashAt(nth, when);
        const madeAt = world.clock.now();
        await world.publish({ db: world.db.behind(gate) }).catch(() => undefined);
        isThrough = !crashed();
        if (isThrough) break;
        crashes++;
        const truth = await world.truth();
        expect(await world.learn()).toEqual(truth);
        expect(world.source()).toBe('snapshot');
        world.clock.advance(30_000);
        await world.publish();
        expect((await world.head())!.upTo).toBeGreaterThanOrEqual(madeAt);
        expect(await world.learn()).toEqual(truth);
      }
    }
    expect(crashes).toBeGreaterThanOrEqual(selectVariants(MOMENTS, 0).length * 10); // reads of the head and the changes, and writes of at least seven slices and the head
  });

  it('may overlap in any order, with different clocks, while campaigns change', { tags: 'whole' }, async () => {
    for (const seed of selectSeeds(40)) {
      const world = await changed(`overlap ${seed}`);
      const gate: Gate = interleave(generator(seed));
      const db = world.db.behind(gate);
      const ahead = { ...world.clock, now: () => world.clock.now() + 900 };
      await Promise.all([
        world.publish({ db }),
        world.publish({ db, clock: ahead }),
        world.publish({ db }, getLexicon(), { sliceBytes: 250, few: 0, share: 0 }),
        world.service.update(world.campaigns[4]!, { maxCpb: 8 }, { ...world.effects, db }),
        world.service.update(world.campaigns[5]!, { status: 'cancelled' }, { ...world.effects, db }),
      ]);
      expect(await world.learn(), `seed ${seed}`).toEqual(await world.truth());
      world.clock.advance(60_000);
      await world.publish();
      expect(await world.learn(), `seed ${seed}`).toEqual(await world.truth());
      expect(world.warnings(), `seed ${seed}`).toEqual([]);
    }
  });

  it('that were delayed replace no newer snapshot', async () => {
    const world = await changed('held up');
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow: Gate = async ({ method }, act) => {
      if (method === 'write') await held;
      return act();
    };
    const late = world.publish({ db: world.db.behind(slow) });
    world.clock.advance(60_000);
    await world.service.update(world.campaigns[4]!, { maxCpb: 8 });
    await world.publish();
    const before = await world.head();
    release();
    await late;
    expect(await world.head()).toEqual(before);
    expect(await world.learn()).toEqual(await world.truth());
  });
});
