import { describe, expect, it, vi } from 'vitest';
import { campaignPicture } from '../../../shared/campaigns/picture.ts';
import type { Database, Item } from '../../../shared/database.ts';
import { Unavailable } from '../../../shared/database.ts';
import type { Effects } from '../../../shared/effects.ts';
import { lexicon } from '../../../shared/lexicon.ts';
import { SLICE } from '../../../shared/slices.ts';
import { bucketOf } from '../../../shared/snapshots/part.ts';
import { snapshotWorld } from '../snapshots/world.ts';

type World = Awaited<ReturnType<typeof snapshotWorld>>;
const HOUR = 3_600_000;

const pictureOf = (world: World, by: Partial<Effects> = {}) => campaignPicture({ ...world.effects, ...by }, lexicon());
const finds = (picture: ReturnType<typeof pictureOf>) => {
  const content = Array.from({ length: 8 }, (_, i) => `item${i}`).join(', ');
  return picture.match([{ role: 'user', content }], { bid: () => 1_000_000 }).candidates.length;
};

/** A promise that tests keep. */
function latch() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** What was asked of a database, parts and moments since which changes are read, with a hand in every read. */
function handled(
  db: Database,
  { get, yielding }: { get?: (key: Item) => void | Promise<void>; yielding?: (item: Item) => void },
) {
  const asked: (string | number)[] = [];
  const own: Database = {
    ...db,
    async get(table, key) {
      asked.push(key.part);
      await get?.(key);
      return db.get(table, key);
    },
    async *query(query) {
      asked.push(query.values.since);
      for await (const item of db.query(query)) {
        yielding?.(item);
        yield item;
      }
    },
  };
  return { db: own, asked };
}

describe('An instance that has just started', () => {
  it('answers from what it has when its patience ends, and goes on learning between requests', async () => {
    const world = await snapshotWorld('patience');
    await world.publish();
    const slow = latch();
    const { db } = handled(world.db, { get: ({ part }) => (part === '3/4' ? slow.opened : undefined) });
    const picture = pictureOf(world, { db });
    const answered: string[] = [];
    const first = picture.refresh().then(() => answered.push('first'));
    await vi.waitFor(() => expect(finds(picture)).toBeGreaterThan(0));
    expect(answered).toEqual([]);
    world.clock.advance(300);
    await first;
    expect(finds(picture)).toBeLessThan(8);
    const second = picture.refresh();
    slow.open();
    await second;
    expect(finds(picture)).toBe(8);
  });

  it('does not wait when there is nothing to wait for', async () => {
    const world = await snapshotWorld('quick');
    await world.publish();
    const before = world.clock.now();
    const picture = pictureOf(world);
    await picture.refresh();
    expect(finds(picture)).toBe(8);
    expect(world.clock.now()).toBe(before);
  });

  it('asks for the whole, each part once, and the changes since; after that for changes alone', async () => {
    const world = await snapshotWorld('asked');
    await world.publish();
    const { db, asked } = handled(world.db, {});
    const picture = pictureOf(world, { db });
    await Promise.all([picture.refresh(), picture.refresh(), picture.refresh()]);
    const upTo = (await world.whole())!.upTo;
    expect(asked).toEqual(['whole', '0/4', '1/4', '2/4', '3/4', upTo - 10_000]);
    world.clock.advance(1_000);
    await picture.refresh();
    expect(asked.slice(6)).toEqual([upTo - 10_000]);
  });

  it('goes on with the parts that are left when the store has failed', async () => {
    const world = await snapshotWorld('parts left');
    await world.publish();
    let isOut = true;
    const { db, asked } = handled(world.db, {
      get({ part }) {
        if (isOut && part === '2/4') throw new Unavailable('out');
      },
    });
    const picture = pictureOf(world, { db });
    await expect(picture.refresh()).rejects.toThrow(Unavailable);
    const others = world.campaigns.filter(({ id }) => bucketOf(id, 4) !== 2).length;
    await vi.waitFor(() => expect(finds(picture)).toBe(others)); // parts on their way arrive
    asked.length = 0;
    isOut = false;
    await picture.refresh();
    expect(asked).toEqual(['2/4', expect.any(Number)]);
    expect(finds(picture)).toBe(8);
  });

  it('goes on with the change that it had come to when there is no snapshot and the store has failed', async () => {
    const world = await snapshotWorld('changes left');
    let left = 10;
    const { db, asked } = handled(world.db, {
      yielding() {
        if (--left === 0) throw new Unavailable('out');
      },
    });
    const picture = pictureOf(world, { db });
    world.clock.advance(HOUR);
    const late = await world.service.campaign({ targetAudience: { keywords: ['latecomer'] } });
    left = 17; // eight campaigns, their funds, and then the one that came an hour later
    await expect(picture.refresh()).rejects.toThrow(Unavailable);
    await picture.refresh();
    expect(asked).toEqual(['whole', 0, late.changedAt - HOUR - 60_000]);
    expect(picture.find(late.id).campaign.id).toBe(late.id);
    expect(finds(picture)).toBe(8);
  });

  it('lets requests go first after every slice of what it reads', async () => {
    const world = await snapshotWorld('slices');
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
    const { db } = handled(world.db, {
      yielding() {
        most = Math.max(most, ++run);
      },
    });
    await pictureOf(world, { db, clock }).refresh();
    expect(most).toBe(SLICE);
    expect(pauses).toBe(Math.floor((2 * 48) / SLICE)); // campaigns and their funds
  });

  it('is followed up for whoever comes while it is learning', async () => {
    const world = await snapshotWorld('joined');
    await world.publish();
    const slow = latch();
    const { db } = handled(world.db, { get: ({ part }) => (part === 'whole' ? slow.opened : undefined) });
    const config = { ...world.effects.config, campaignRefreshMs: 0 };
    const picture = pictureOf(world, { db, config });
    const first = picture.refresh();
    const { id } = await world.service.campaign({ targetAudience: { keywords: ['meanwhile'] } });
    const second = picture.refresh();
    slow.open();
    await Promise.all([first, second]);
    expect(picture.find(id).campaign).toBeDefined();
  });
});

describe('The sweep', () => {
  it('keeps no request waiting, outlives a failure, and forgets what left without a trace', async () => {
    const world = await snapshotWorld('sweep');
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
    const picture = pictureOf(world, { db });
    await picture.refresh();
    await stored.write({ table: 'campaigns', key: { owner: 'alice', item: `campaign#${gone!.id}` }, remove: true });
    clock.advance(5 * HOUR);
    await picture.refresh();
    isSweep = true;
    clock.advance(2 * HOUR);
    await picture.refresh();
    expect(finds(picture)).toBe(8);
    slow.open();
    await vi.waitFor(() => expect(world.warnings()).toHaveLength(1));
    expect(world.warnings()).toMatchObject([{ message: 'the sweep was interrupted' }]);
    clock.advance(1_000);
    await picture.refresh();
    await vi.waitFor(() => expect(finds(picture)).toBe(7));
  });

  it('lets a campaign that it missed come back with the next', async () => {
    const world = await snapshotWorld('missed');
    let hidden = '';
    const db: Database = {
      ...world.db,
      async *query(query) {
        for await (const item of world.db.query(query)) if (item.id !== hidden) yield item;
      },
    };
    const picture = pictureOf(world, { db });
    await picture.refresh();
    for (const [name, found] of [
      [world.campaigns[0]!.id, 7],
      ['', 8],
    ] as const) {
      hidden = name;
      for (const hours of [5, 2]) {
        world.clock.advance(hours * HOUR);
        await picture.refresh();
      }
      await vi.waitFor(() => expect(finds(picture)).toBe(found));
    }
  });
});
