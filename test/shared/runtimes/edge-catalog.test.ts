import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FEED, SPEND_FEEDS } from '../../../shared/campaigns/items.ts';
import { lexicon } from '../../../shared/catalog/lexicon.ts';
import { createConversations } from '../../../shared/conversations/store.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { createEdgeCatalog } from '../../../shared/runtimes/edge-catalog.ts';
import { snapshotWorld } from '../catalog/world.ts';

/** A look at the change index asks each feed once. */
const ONE_LOOK = [FEED, ...SPEND_FEEDS].length;

/** A Worker that is about to know eight campaigns, and a snapshot and change index that a test may hold up. */
async function worker(seed: string, most = 30_000) {
  const world = await snapshotWorld(seed);
  const index = { asked: 0, before: async () => {} };
  const snapshot = { asked: [] as string[], before: async (_part: string) => {} };
  const db: Database = {
    ...world.db,
    async get(table, key) {
      if ('part' in key && typeof key.part === 'string') {
        snapshot.asked.push(key.part);
        await snapshot.before(key.part);
      }
      return world.db.get(table, key);
    },
    async getAll(table, keys) {
      const parts = keys.flatMap((key) => ('part' in key && typeof key.part === 'string' ? [key.part] : []));
      snapshot.asked.push(...parts);
      await Promise.all(parts.map((part) => snapshot.before(part)));
      return world.db.getAll(table, keys);
    },
    async *query(query) {
      index.asked++;
      await index.before();
      yield* world.db.query(query);
    },
  };
  const catalog = createEdgeCatalog({ ...world.effects, db }, lexicon(), most);
  const noBid = () => catalog.match([{ role: 'user', content: 'item1' }], { bid: () => 1_000_000 }).noBid;
  return { ...world, catalog, index, snapshot, noBid };
}

const hanging = () => new Promise<void>(() => {});
const settle = async () => {
  for (let tick = 0; tick < 50; tick++) await setImmediate();
};

it('A Worker is ready when it knows all campaigns', async () => {
  const { catalog, noBid } = await worker('ready');
  expect(catalog.isReady()).toBe(false);
  await catalog.refresh();
  expect([catalog.isReady(), noBid()]).toEqual([true, null]);
});

it('No request waits for what another began: it goes on with what is known', async () => {
  const { catalog, clock, index, noBid } = await worker('others');
  await catalog.refresh();
  clock.advance(5_000);
  index.before = hanging;
  index.asked = 0;
  let firstWaits = true;
  void catalog.refresh().then(() => {
    firstWaits = false;
  });
  await catalog.refresh();
  expect([firstWaits, index.asked, noBid()]).toEqual([true, ONE_LOOK, null]);
});

it('A Worker whose knowledge has grown old while another request asks for news does not bid with it', async () => {
  const { catalog, clock, index } = await worker('old');
  await catalog.refresh();
  clock.advance(59_000);
  index.before = hanging;
  void catalog.refresh();
  expect(catalog.isReady()).toBe(true);
  clock.advance(2_000);
  expect(catalog.isReady()).toBe(false);
});

it('What was cut off with its request is gone on with: nothing is read twice', async () => {
  const { catalog, clock, snapshot, publish } = await worker('cut off');
  await publish();
  snapshot.before = async (part) => {
    if (part === '4') await hanging();
  };
  void catalog.refresh();
  await settle();
  expect(snapshot.asked.filter((part) => part === '4')).toHaveLength(1);
  snapshot.before = async () => {};
  clock.advance(44_000);
  await catalog.refresh();
  expect(catalog.isReady()).toBe(false);
  clock.advance(2_000);
  await catalog.refresh();
  await settle();
  expect(catalog.isReady()).toBe(true);
  for (const part of ['head', '0', '1', '2', '3'])
    expect(snapshot.asked.filter((asked) => asked === part)).toEqual([part]);
});

it('What is known is kept while news of it are cut off', async () => {
  const { catalog, clock, index, snapshot, publish } = await worker('kept');
  await publish();
  await catalog.refresh();
  const read = snapshot.asked.length;
  index.before = hanging;
  for (let time = 0; time < 3; time++) {
    clock.advance(46_000);
    void catalog.refresh();
    await settle();
  }
  index.before = async () => {};
  clock.advance(46_000);
  await catalog.refresh();
  expect([catalog.isReady(), catalog.size(), snapshot.asked.length]).toEqual([true, 8, read]);
});

it('However long a Worker lives, a request reads changes alone', async () => {
  const { catalog, clock, index } = await worker('long');
  await catalog.refresh();
  for (let hours = 0; hours < 12; hours++) {
    clock.advance(3_600_000);
    index.asked = 0;
    await catalog.refresh();
    await settle();
    expect([index.asked, catalog.isReady()]).toEqual([ONE_LOOK, true]);
  }
});

it('A Worker that has slept for a day leaves bids to its origin until it has learnt the campaigns anew', async () => {
  const { catalog, clock, noBid } = await worker('asleep');
  await catalog.refresh();
  clock.advance(23 * 3_600_000);
  expect(catalog.isReady()).toBe(true); // the next bid reads what has changed
  clock.advance(3_600_000);
  expect(catalog.isReady()).toBe(false);
  await catalog.refresh();
  expect([catalog.isReady(), noBid()]).toEqual([true, null]);
});

it('A snapshot of more campaigns than fit is not read', async () => {
  const { catalog, snapshot, publish, warnings, index, clock } = await worker('large', 7);
  await publish();
  await catalog.refresh();
  await settle();
  expect([snapshot.asked, index.asked, catalog.isReady()]).toEqual([['head'], 0, false]);
  expect(warnings()[0].message).toBe('more campaigns than a Worker may hold: bids pass on');
  clock.advance(3_500_000);
  await catalog.refresh();
  expect(snapshot.asked).toEqual(['head']);
});

it('More campaigns than fit are given up, and looked at again an hour later', async () => {
  const { catalog, clock, index, warnings } = await worker('many', 5);
  await catalog.refresh();
  await settle();
  expect([catalog.isReady(), catalog.size()]).toEqual([false, 0]);
  expect(
    warnings().filter(({ message }) => message === 'more campaigns than a Worker may hold: bids pass on'),
  ).toHaveLength(1);
  index.asked = 0;
  clock.advance(3_500_000);
  await catalog.refresh();
  expect(index.asked).toBe(0);
  clock.advance(200_000);
  await catalog.refresh();
  expect(index.asked).toBe(ONE_LOOK);
});

it('The key of conversations that a request reads is waited for by that request alone', async () => {
  const { db, effects } = await worker('secret');
  let asked = 0;
  const get: Database['get'] = async (table, key) => {
    if (asked++ === 0) await hanging();
    return db.get(table, key);
  };
  const conversations = createConversations({ ...effects, db: { ...db, get } });
  const key = { id: 'key', owner: 'publisher', mode: 'live' as const };
  void conversations.find(key, ['c']);
  await settle();
  expect(await conversations.find(key, ['c'])).toMatchObject([{ hash: expect.any(String) }]);
});
