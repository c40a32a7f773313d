import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../../shared/ads/catalog/catalog.ts';
import { getLexicon } from '../../../../shared/ads/catalog/lexicon.ts';
import type { Database } from '../../../../shared/platform/database.ts';
import { Unavailable } from '../../../../shared/platform/unavailable.ts';
import { createSnapshotService } from './snapshot-service.ts';

/** An instance that has loaded eight campaigns. `index.before` runs before each later query of the change index, `index.change` at each item. */
async function instance(seed: string, campaignRefreshMs = 1_000) {
  const world = await createSnapshotService(seed);
  const { clock } = world;
  const index = { asked: 0, before: async () => {}, change: () => {} };
  const db: Database = {
    ...world.db,
    async *query(query) {
      if (query.values.feed !== 'campaigns') return yield* world.db.query(query); // spend stats have their own query
      index.asked++;
      await index.before();
      for await (const item of world.db.query(query)) {
        index.change();
        yield item;
      }
    },
  };
  const config = { ...world.effects.config, campaignRefreshMs };
  const catalog = createCatalog({ ...world.effects, db, config }, getLexicon());
  await catalog.refresh();
  index.asked = 0;
  const noBid = (word = 'item1') => catalog.match([{ role: 'user', content: word }], { bid: () => 1_000_000 }).noBid;
  /** Whether a request still waits after `ms`. */
  const isWaitingAfter = async (ms: number, refreshed: Promise<void>) => {
    let isWaiting = true;
    refreshed.then(() => {
      isWaiting = false;
    });
    clock.advance(ms);
    for (let tick = 0; tick < 20; tick++) await setImmediate();
    return isWaiting;
  };
  return { ...world, catalog, index, noBid, isWaitingAfter };
}

const throttled = async () => {
  throw new Unavailable('throttled');
};
const hanging = () => new Promise<void>(() => {});

describe('a catalog while the change index is throttled', () => {
  it.each([
    ['every second', 1_000],
    ['at every bid', 0],
  ])('that refreshes %s keeps bidding for 60 s, then stops until it can refresh', async (_, refreshMs) => {
    const { catalog, clock, index, noBid, measured } = await instance('throttled', refreshMs);
    index.before = throttled;
    for (let second = 1; second <= 60; second++) {
      clock.advance(1_000);
      await catalog.refresh();
      expect(noBid(), `second ${second}`).toBeNull();
    }
    clock.advance(1_000);
    await catalog.refresh();
    expect(noBid()).toBe('catalog_stale');
    expect(measured.at(-1)).toEqual({ name: 'CatalogAge', value: 61_000 });
    index.before = async () => {};
    await catalog.refresh();
    expect(noBid()).toBeNull();
    expect(measured.at(-1)).toEqual({ name: 'CatalogAge', value: 61_000 });
  });

  it('keeps bidding for two refresh intervals, if they are longer than 60 s', async () => {
    const { catalog, clock, index, noBid } = await instance('rare', 100_000);
    index.before = throttled;
    clock.advance(200_000);
    await catalog.refresh();
    expect(noBid()).toBeNull();
    clock.advance(1);
    await catalog.refresh();
    expect(noBid()).toBe('catalog_stale');
  });

  it('does not reread the changes that it got before the failure', async () => {
    const { catalog, clock, index, service, noBid } = await instance('piecemeal');
    clock.advance(30_000);
    const created = [];
    for (let i = 0; i < 6; i++) {
      created.push(await service.campaign({ targetAudience: { keywords: [`newcomer${i}`] } }));
      clock.advance(20_000); // twice the margin
    }
    let left = 4;
    index.change = () => {
      if (left-- === 0) throw new Unavailable('throttled');
    };
    for (let i = 0; i < 6; i++) {
      left = 4;
      await catalog.refresh();
    }
    expect(created.filter(({ id }) => catalog.find(id).campaign)).toHaveLength(6);
    expect(noBid('newcomer5')).toBeNull();
  });
});

describe('refresh', () => {
  it('waits 100 ms for changes if the campaigns are loaded, and continues in the background', async () => {
    const { catalog, clock, index, noBid, isWaitingAfter, service } = await instance('slow');
    await service.campaign({ targetAudience: { keywords: ['newcomer'] } });
    let release = () => {};
    index.before = () => new Promise((resolve) => (release = resolve));
    clock.advance(1_000);
    const refreshed = catalog.refresh();
    expect(await isWaitingAfter(99, refreshed)).toBe(true);
    expect(await isWaitingAfter(1, refreshed)).toBe(false);
    expect(noBid('newcomer')).not.toBeNull();
    release();
    for (let tick = 0; tick < 20; tick++) await setImmediate();
    expect(noBid('newcomer')).toBeNull();
  });

  it('waits 300 ms on an instance that was frozen, as do all requests in that time', async () => {
    const { catalog, clock, index, isWaitingAfter } = await instance('frozen');
    index.before = hanging;
    clock.advance(10_001);
    const first = catalog.refresh();
    expect(await isWaitingAfter(150, first)).toBe(true);
    const second = catalog.refresh();
    expect(await isWaitingAfter(149, first)).toBe(true);
    expect(await isWaitingAfter(1, first)).toBe(false);
    expect(await isWaitingAfter(149, second)).toBe(true);
    expect(await isWaitingAfter(1, second)).toBe(false);
    expect(await isWaitingAfter(100, catalog.refresh())).toBe(false);
  });

  it('waits 500 ms if the catalog is too old to bid', async () => {
    const { catalog, clock, index, noBid, isWaitingAfter } = await instance('far');
    let release = () => {};
    index.before = () => new Promise((resolve) => (release = resolve));
    clock.advance(60_001);
    expect(await isWaitingAfter(500, catalog.refresh())).toBe(false);
    expect(noBid()).toBe('catalog_stale');
    const second = catalog.refresh();
    expect(await isWaitingAfter(499, second)).toBe(true);
    release();
    await second;
    expect(noBid()).toBeNull();
  });

  it('waits for the whole query if CAMPAIGN_REFRESH_SECONDS is 0, and sees the latest changes', async () => {
    const { catalog, index, noBid, isWaitingAfter, service } = await instance('zero', 0);
    let release = () => {};
    index.before = () => new Promise((resolve) => (release = resolve));
    await service.campaign({ targetAudience: { keywords: ['newcomer'] } });
    const refreshed = catalog.refresh();
    expect(await isWaitingAfter(10_000, refreshed)).toBe(true);
    release();
    await refreshed;
    expect(noBid('newcomer')).toBeNull();
  });

  it.each([
    [0, 500],
    [1_000, Number.POSITIVE_INFINITY],
  ])(
    'every %i ms limits its query to %i ms, so that a request that waits for it has time for a bid',
    async (refreshMs, ms) => {
      const { catalog, clock, index } = await instance('deadline', refreshMs);
      const left: number[] = [];
      index.before = async () => void left.push(clock.deadline() - clock.now());
      clock.advance(5_000);
      await clock.within(clock.now() + 900, () => catalog.refresh());
      expect(left).toEqual([ms]);
    },
  );

  it('does not share the failure of a query that another request started', async () => {
    const { catalog, clock, index, noBid } = await instance('shared');
    clock.advance(61_000);
    let failures = 1;
    index.before = async () => {
      if (failures-- > 0) throw new Unavailable('a connection from before the freeze');
    };
    const begun = catalog.refresh();
    await Promise.all([catalog.refresh(), catalog.refresh()]);
    await begun;
    expect(noBid()).toBeNull();
    expect(index.asked).toBe(2);
  });

  it('sends no second query for ten seconds while one hangs', async () => {
    const { catalog, clock, index } = await instance('one at a time');
    index.before = hanging;
    for (let second = 0; second < 12; second++) {
      clock.advance(1_000);
      const refreshed = catalog.refresh();
      clock.advance(300);
      await refreshed;
    }
    expect(index.asked).toBe(2);
  });

  it('only logs the failure of a query that outlives the request', async () => {
    const { catalog, clock, index, noBid, isWaitingAfter, warnings } = await instance('after');
    let fail = () => {};
    index.before = () => new Promise((_, reject) => (fail = () => reject(new Unavailable('throttled'))));
    clock.advance(1_000);
    expect(await isWaitingAfter(100, catalog.refresh())).toBe(false);
    fail();
    for (let tick = 0; tick < 20; tick++) await setImmediate();
    expect(noBid()).toBeNull();
    expect(warnings()).toMatchObject([{ message: 'changes of campaigns could not be read', ageMs: 1_100 }]);
  });
});
