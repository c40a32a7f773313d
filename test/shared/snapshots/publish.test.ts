import { describe, expect, it } from 'vitest';
import { noFunds } from '../../../shared/campaigns/funds.ts';
import type { Database, Item, Query } from '../../../shared/database.ts';
import { lexicon } from '../../../shared/lexicon.ts';
import type { Gate } from '../../memory/database.ts';
import { crashing, interleaved } from '../../memory/gates.ts';
import { generator } from '../../random.ts';
import { snapshotWorld } from './world.ts';

const HOUR = 3_600_000;

/** What is written to the snapshot while something happens, by its part. */
const watched = (db: Database, written: string[]): Database => ({
  ...db,
  async write(write, returning) {
    if ('put' in write) written.push(write.put.part);
    return db.write(write, returning);
  },
});

describe('A snapshot', () => {
  it('tells a new instance all that the campaigns themselves would, and only changes since are asked for', async () => {
    const world = await snapshotWorld('all');
    const { service, campaigns, clock, db } = world;
    await service.update(campaigns[0]!, { status: 'cancelled' });
    await service.update(campaigns[1]!, { status: 'paused' });
    await world.publish();
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
    expect(queries.map(({ values }) => values.since)).toEqual([(await world.whole())!.upTo - 10_000]);
    expect(Object.keys(known)).toHaveLength(7);
    expect(known).toEqual(await world.truth());
  });

  it('is brought up to date by writing the parts that changes touch, and nothing but its end when there are none', async () => {
    const world = await snapshotWorld('touched');
    await world.publish();
    const written: string[] = [];
    const publish = async () => {
      world.clock.advance(5_000); // the margin repeats what was published last
      written.length = 0;
      await world.publish({ db: watched(world.db, written) });
      return written;
    };
    expect(await publish()).toEqual(['whole']);
    await world.service.update(world.campaigns[3]!, { maxCpb: 7 });
    expect(await publish()).toEqual([expect.stringMatching(/^\d\/4$/), 'whole']);
    expect(await publish()).toEqual(['whole']);
    expect(await world.learn()).toEqual(await world.truth());
  });

  it('loses what was deleted before it and what is deleted after it', async () => {
    const world = await snapshotWorld('deleted');
    const { service, campaigns, clock } = world;
    await world.publish();
    clock.advance(60_000);
    await service.campaigns.remove('alice', campaigns[0]!.id);
    clock.advance(60_000);
    await world.publish();
    clock.advance(60_000);
    await service.campaigns.remove('alice', campaigns[1]!.id);
    clock.advance(60_000);
    const known = await world.learn();
    expect(world.source()).toBe('snapshot');
    expect(Object.keys(known)).toEqual(campaigns.slice(2).map(({ id }) => id));
  });

  it('remembers the money of a campaign that could not bid when it was made and can now', async () => {
    const world = await snapshotWorld('funds');
    const { service, campaigns, clock } = world;
    const { id } = campaigns[0]!;
    const funds = { ...noFunds(id), spent: 5_000, day: '2026-11-20', spentToday: 5_000, impressions: 2 };
    await service.campaigns.publishFunds('alice', funds);
    const cancelled = await service.update(campaigns[0]!, { status: 'cancelled' });
    clock.advance(60_000);
    await world.publish();
    clock.advance(60_000);
    await service.update(cancelled, { status: 'active' });
    expect((await world.learn())[id]).toMatchObject({ campaign: { version: 3 }, funds });
    expect(world.source()).toBe('snapshot');
  });

  it('takes nothing back that an instance has learnt from a change first', async () => {
    const world = await snapshotWorld('late part');
    await world.publish();
    const { campaigns, service, db } = world;
    const changed = await service.update(campaigns[0]!, { maxCpb: 9 });
    const stale = await db.get('snapshots', world.partKey(0, 4));
    await world.publish();
    const answersLate: Database = {
      ...db,
      get: async (table, key) => (key.part === '0/4' ? stale : db.get(table, key)),
    };
    expect((await world.learn({ db: answersLate }))[changed.id]!.campaign.maxCpb).toBe(9_000_000);
  });

  it('is for one version of the lexicon: another has its own, and reads the campaigns until then', async () => {
    const world = await snapshotWorld('lexicon');
    const newer = { ...lexicon(), version: 'newer' };
    await world.publish();
    const known = await world.learn({}, newer);
    expect(world.source()).toBe('index');
    expect(Object.values(known).map(({ campaign }) => campaign.placement.v)).toEqual(Array(8).fill('newer'));
    world.clock.advance(60_000);
    await world.publish({}, newer);
    expect(await world.learn({}, newer)).toEqual(known);
    expect(world.source()).toBe('snapshot');
    expect(await world.learn()).toEqual(await world.truth());
    expect(world.source()).toBe('index'); // the truth; before it came
  });

  it('is made anew in more parts when one outgrows its place', async () => {
    const world = await snapshotWorld('large');
    await world.publish();
    expect(await world.whole()).toMatchObject({ buckets: 4 });
    world.clock.advance(60_000);
    await world.service.update(world.campaigns[0]!, { name: 'Another name for it' });
    await world.publish({}, lexicon(), 250);
    expect((await world.whole())!.buckets).toBeGreaterThan(4);
    expect(await world.learn()).toEqual(await world.truth());
  });

  it('is read again from the campaigns every quarter day', async () => {
    const world = await snapshotWorld('rebuilt');
    await world.publish();
    const before = (await world.whole())!;
    world.clock.advance(6 * HOUR);
    const missed = world.campaigns[0]!;
    await world.db.write({ table: 'campaigns', key: { owner: 'alice', item: `campaign#${missed.id}` }, remove: true });
    await world.publish();
    expect((await world.whole())!.rebuiltAt).toBeGreaterThan(before.rebuiltAt);
    expect(Object.keys(await world.learn())).toHaveLength(7);
  });
});

describe('A snapshot that cannot be trusted', () => {
  it.each<[string, (part: Item) => Item | undefined]>([
    ['lacks a part', () => undefined],
    ['has a part that cannot be unpacked', (part) => ({ ...part, body: part.body.slice(0, -9) })],
    ['has a part from before what it says', (part) => ({ ...part, upTo: part.upTo - 1 })],
  ])('because it %s is left for the campaigns themselves, and mended when it is next published', async (_, damage) => {
    const world = await snapshotWorld('damaged');
    await world.publish();
    const key = world.partKey(1, 4);
    const part = damage((await world.db.get('snapshots', key))!);
    await world.db.write({ table: 'snapshots', ...(part ? { put: part } : { key, remove: true }) });
    world.clock.advance(60_000);
    await world.service.campaigns.remove('alice', world.campaigns[0]!.id);
    expect(await world.learn()).toEqual(await world.truth());
    expect(world.warnings()).toMatchObject([{ message: 'the snapshot is damaged: reading the index' }]);

    for (const campaign of world.campaigns.slice(1)) await world.service.update(campaign, { maxCpb: 5 });
    world.clock.advance(60_000);
    await world.publish();
    const known = await world.learn();
    expect(world.source()).toBe('snapshot');
    expect(known).toEqual(await world.truth());
  });

  it.each([
    ['as old as half the life of a tombstone', 12 * HOUR],
    ['from a clock far ahead', -60_000],
  ])('because it is %s is not read', async (_, later) => {
    const world = await snapshotWorld('age');
    await world.publish();
    world.clock.advance(later);
    await world.learn();
    expect(world.source()).toBe('index');
  });
});

describe('Publishers', () => {
  /** A snapshot, and changes of every kind since. */
  async function changed(seed: string) {
    const world = await snapshotWorld(seed);
    await world.publish();
    world.clock.advance(60_000);
    const { service, campaigns } = world;
    await service.update(campaigns[0]!, { maxCpb: 6 });
    await service.update(campaigns[1]!, { status: 'cancelled' });
    await service.campaigns.remove('alice', campaigns[2]!.id);
    await service.campaign({ targetAudience: { keywords: ['newcomer'] } });
    world.clock.advance(30_000);
    return world;
  }

  it('may crash at any use of the store: instances know the truth, and so does the next publication', async () => {
    let crashes = 0;
    for (const when of ['before', 'after'] as const) {
      for (let nth = 1; nth < 100; nth++) {
        const world = await changed(`crash ${when} ${nth}`);
        const { gate, crashed } = crashing(nth, when);
        await world.publish({ db: world.db.behind(gate) }).catch(() => undefined);
        if (!crashed()) break;
        crashes++;
        const truth = await world.truth();
        expect(await world.learn()).toEqual(truth);
        expect(world.source()).toBe('snapshot');
        world.clock.advance(30_000);
        await world.publish();
        expect(await world.whole()).toMatchObject({ upTo: world.clock.now() });
        expect(await world.learn()).toEqual(truth);
      }
    }
    expect(crashes).toBeGreaterThanOrEqual(12); // the whole, the changes, two parts at least read and written; before and after
  });

  it('may overlap in any order, on clocks that differ, while campaigns change', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const world = await changed(`overlap ${seed}`);
      const gate: Gate = interleaved(generator(seed));
      const db = world.db.behind(gate);
      const ahead = { ...world.clock, now: () => world.clock.now() + 900 };
      await Promise.all([
        world.publish({ db }),
        world.publish({ db, clock: ahead }),
        world.publish({ db }, lexicon(), 250),
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

  it('that were held up for long replace nothing that is newer', async () => {
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
    const before = await world.whole();
    release();
    await late;
    expect(await world.whole()).toEqual(before);
    expect(await world.learn()).toEqual(await world.truth());
  });
});
