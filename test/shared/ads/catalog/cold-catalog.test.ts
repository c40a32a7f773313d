import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../../shared/ads/catalog/catalog.ts';
import { getLexicon } from '../../../../shared/ads/catalog/lexicon.ts';
import type { Database } from '../../../../shared/platform/database.ts';
import type { Effects } from '../../../../shared/platform/effects.ts';
import { Unavailable } from '../../../../shared/platform/unavailable.ts';
import type { AnyItem } from '../../../memory/untyped-database.ts';
import { createSnapshotService } from './snapshot-service.ts';

type World = Awaited<ReturnType<typeof createSnapshotService>>;
const HOUR = 3_600_000;

const pictureOf = (world: World, by: Partial<Effects> = {}) => createCatalog({ ...world.effects, ...by }, getLexicon());
const finds = (catalog: ReturnType<typeof pictureOf>) => {
  const content = Array.from({ length: 8 }, (_, i) => `item${i}`).join(', ');
  return catalog.match([{ role: 'user', content }], { bid: () => 1_000_000 }).candidates.length;
};

const noBid = (catalog: ReturnType<typeof pictureOf>, content = 'item1') =>
  catalog.match([{ role: 'user', content }], { bid: () => 1_000_000 }).noBid;

/** A promise that a test resolves with `open`. */
function latch() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** A database that records which snapshot parts and change times are read, and runs a hook at every read. */
function observe(
  db: Database,
  { get, yielding }: { get?: (key: AnyItem) => void | Promise<void>; yielding?: (item: AnyItem) => void },
) {
  const asked: (string | number)[] = [];
  const own: Database = {
    ...db,
    async get(table, key) {
      const untypedKey: AnyItem = key;
      asked.push(untypedKey.part);
      await get?.(key);
      return db.get(table, key);
    },
    async getAll(table, keys) {
      const untypedKey: AnyItem[] = keys;
      asked.push(...untypedKey.map(({ part }) => part));
      await Promise.all(untypedKey.map(get ?? (() => {})));
      return db.getAll(table, keys);
    },
    async *query(query) {
      if (query.values.feed !== 'campaigns') return yield* db.query(query); // spend stats have their own query
      asked.push(Number(query.values.since));
      for await (const item of db.query(query)) {
        yielding?.(item);
        yield item;
      }
    },
  };
  return { db: own, asked };
}

describe('a catalog that is loading', () => {
  it('answers from the campaigns it has when the wait ends, and continues loading between requests', async () => {
    const world = await createSnapshotService('patience');
    await world.publish();
    world.clock.advance(HOUR);
    await world.service.update(world.campaigns[1]!, { maxCpb: 9 });
    const slow = latch();
    const { db } = observe(world.db, { get: ({ part }) => (part === '3' ? slow.opened : undefined) });
    const catalog = pictureOf(world, { db });
    const answered: string[] = [];
    const first = catalog.refresh().then(() => answered.push('first'));
    await expect.poll(() => finds(catalog)).toBe(1);
    expect(answered).toEqual([]);
    world.clock.advance(300);
    await first;
    expect(noBid(catalog, 'item1')).toBeNull();
    expect(noBid(catalog, 'item7')).toBe('catalog_stale'); // no_match would be wrong
    const second = catalog.refresh();
    slow.open();
    await second;
    expect(finds(catalog)).toBe(8);
  });

  it('does not wait without campaigns to load', async () => {
    const world = await createSnapshotService('quick');
    await world.publish();
    const before = world.clock.now();
    const catalog = pictureOf(world);
    await catalog.refresh();
    expect(finds(catalog)).toBe(8);
    expect(world.clock.now()).toBe(before);
  });

  it('reads the head, the changes since, and each slice once; afterwards only changes', async () => {
    const world = await createSnapshotService('asked');
    await world.publish();
    const { db, asked } = observe(world.db, {});
    const catalog = pictureOf(world, { db });
    await Promise.all([catalog.refresh(), catalog.refresh(), catalog.refresh()]);
    const { upTo, slices } = (await world.head())!;
    const numbers = Array.from({ length: slices }, (_, number) => String(number));
    expect(asked).toEqual(['head', upTo - 10_000, ...numbers]);
    world.clock.advance(1_000);
    asked.length = 0;
    await catalog.refresh();
    expect(asked).toEqual([upTo - 10_000]);
  });

  it('never uses the snapshot’s version of a campaign that has changed since', async () => {
    const world = await createSnapshotService('since');
    await world.publish();
    world.clock.advance(5 * HOUR);
    const dearer = await world.service.update(world.campaigns[0]!, { maxCpb: 9 });
    await world.service.remove(world.campaigns[1]!);
    world.clock.advance(HOUR / 2);
    const slow = latch();
    const { db } = observe(world.db, { get: ({ part }) => (part === '3' ? slow.opened : undefined) });
    const catalog = pictureOf(world, { db });
    const bidsOf = () =>
      catalog
        .match([{ role: 'user', content: 'item0, item1' }], { bid: (id) => catalog.find(id).campaign.maxCpb })
        .candidates.map(({ id, bid }) => [id, bid]);
    const refreshed = catalog.refresh();
    await expect.poll(bidsOf).toEqual([[dearer.id, 9_000_000]]);
    slow.open();
    await refreshed;
    expect(finds(catalog)).toBe(7);
    expect(bidsOf()).toEqual([[dearer.id, 9_000_000]]);
  });

  it('resumes with the remaining slices after a failure of the store', async () => {
    const world = await createSnapshotService('slices left');
    await world.publish();
    let isOut = true;
    const { db, asked } = observe(world.db, {
      get({ part }) {
        if (isOut && part === '5') throw new Unavailable('out');
      },
    });
    const catalog = pictureOf(world, { db });
    await catalog.refresh();
    expect(finds(catalog)).toBe(0);
    asked.length = 0;
    isOut = false;
    await catalog.refresh();
    const { slices } = (await world.head())!;
    expect(asked).toEqual(Array.from({ length: slices - 4 }, (_, i) => String(4 + i)));
    expect(finds(catalog)).toBe(8);
  });

  it('starts another read for requests that did not start the failed one', async () => {
    const world = await createSnapshotService('shared');
    await world.publish();
    let failures = 1;
    const { db } = observe(world.db, {
      get() {
        if (failures-- > 0) throw new Unavailable('out');
      },
    });
    const catalog = pictureOf(world, { db });
    await Promise.all([catalog.refresh(), catalog.refresh()]);
    expect(finds(catalog)).toBe(8);
  });

  it('returns catalog_stale if nothing was loaded in time, and continues loading', async () => {
    const world = await createSnapshotService('slow store');
    await world.publish();
    const slow = latch();
    const { db } = observe(world.db, { get: () => slow.opened });
    const catalog = pictureOf(world, { db });
    const refreshed = catalog.refresh();
    world.clock.advance(300);
    await refreshed;
    expect(noBid(catalog)).toBe('catalog_stale');
    expect(world.measured).toEqual([]); // at most 300 ms old
    slow.open();
    await catalog.refresh();
    expect(finds(catalog)).toBe(8);
    expect(noBid(catalog)).toBeNull();
  });

  it('reports for how long it has been empty while the store fails', async () => {
    const world = await createSnapshotService('out');
    const { db } = observe(world.db, {
      get() {
        throw new Unavailable('out');
      },
    });
    const catalog = pictureOf(world, { db });
    for (const _ of [1, 2, 3]) {
      await catalog.refresh();
      expect(noBid(catalog)).toBe('catalog_stale');
      world.clock.advance(5_000);
    }
    expect(world.measured).toEqual([
      { name: 'CatalogAge', value: 5_000 },
      { name: 'CatalogAge', value: 10_000 },
    ]);
  });

  it('resumes at the last change after a failure without a snapshot', async () => {
    const world = await createSnapshotService('changes left');
    let left = 10;
    const { db, asked } = observe(world.db, {
      yielding() {
        if (--left === 0) throw new Unavailable('out');
      },
    });
    const catalog = pictureOf(world, { db });
    world.clock.advance(HOUR);
    const late = await world.service.campaign({ targetAudience: { keywords: ['latecomer'] } });
    left = 9; // eight campaigns, and then the one that came an hour later
    await catalog.refresh();
    await catalog.refresh();
    expect(asked).toEqual(['head', 0, late.changedAt - HOUR - 60_000]);
    expect(catalog.find(late.id).campaign.id).toBe(late.id);
    expect(finds(catalog)).toBe(8);
  });

  it('yields to requests while it loads', async () => {
    const inOneGo = 20;
    const world = await createSnapshotService('slices');
    for (let i = 0; i < 40; i++) await world.service.campaign();
    let run = 0;
    let most = 0;
    let pauses = 0;
    const clock = {
      ...world.clock,
      async pause() {
        pauses++;
        run = 0;
      },
    };
    const { db } = observe(world.db, {
      yielding() {
        most = Math.max(most, ++run);
      },
    });
    await pictureOf(world, { db, clock }).refresh();
    expect(most).toBe(inOneGo);
    expect(pauses).toBe(Math.floor(48 / inOneGo));
  });

  it('reads newer changes for requests that arrive during the load', async () => {
    const world = await createSnapshotService('joined');
    await world.publish();
    const slow = latch();
    const { db } = observe(world.db, { get: ({ part }) => (part === 'head' ? slow.opened : undefined) });
    const config = { ...world.effects.config, campaignRefreshMs: 0 };
    const catalog = pictureOf(world, { db, config });
    const first = catalog.refresh();
    const { id } = await world.service.campaign({ targetAudience: { keywords: ['later'] } });
    const second = catalog.refresh();
    slow.open();
    await Promise.all([first, second]);
    expect(catalog.find(id).campaign).toBeDefined();
  });
});

describe('the sweep', () => {
  it('delays no request, resumes after a failure, and removes campaigns without a tombstone', async () => {
    const world = await createSnapshotService('sweep');
    const { db: stored, clock, campaigns } = world;
    const [gone] = campaigns;
    const slow = latch();
    let fails = 1;
    let isSweep = false;
    const db: Database = {
      ...stored,
      async *query(query) {
        if (isSweep && query.values.since === 0) {
          await slow.opened;
          if (fails-- > 0) throw new Unavailable('out');
        }
        yield* stored.query(query);
      },
    };
    const catalog = pictureOf(world, { db });
    await catalog.refresh();
    await stored.write({ table: 'campaigns', key: { owner: 'alice', item: `campaign#${gone!.id}` }, remove: true });
    clock.advance(5 * HOUR);
    await catalog.refresh();
    isSweep = true;
    clock.advance(2 * HOUR);
    await catalog.refresh();
    expect(finds(catalog)).toBe(8);
    slow.open();
    await expect.poll(() => world.warnings()).toHaveLength(1);
    expect(world.warnings()).toMatchObject([{ message: 'the sweep was interrupted' }]);
    clock.advance(1_000);
    await catalog.refresh();
    await expect.poll(() => finds(catalog)).toBe(7);
  });

  it('restores a campaign that it missed with the next one', async () => {
    const world = await createSnapshotService('missed');
    let hidden = '';
    const db: Database = {
      ...world.db,
      async *query(query) {
        for await (const item of world.db.query(query)) if (!('id' in item && item.id === hidden)) yield item;
      },
    };
    const catalog = pictureOf(world, { db });
    await catalog.refresh();
    for (const [name, found] of [
      [world.campaigns[0]!.id, 7],
      ['', 8],
    ] as const) {
      hidden = name;
      for (const hours of [5, 2]) {
        world.clock.advance(hours * HOUR);
        await catalog.refresh();
      }
      await expect.poll(() => finds(catalog)).toBe(found);
    }
  });
});
