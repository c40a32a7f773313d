import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { lexicon } from '../../../shared/catalog/lexicon.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { createEdgeCatalog } from '../../../shared/runtimes/edge-catalog.ts';
import { snapshotWorld } from '../catalog/world.ts';

/** A Worker that is about to know eight campaigns, and a change index that a test may hold up. */
async function worker(seed: string, most = 30_000) {
  const world = await snapshotWorld(seed);
  const index = { asked: 0, before: async () => {} };
  const db: Database = {
    ...world.db,
    async *query(query) {
      index.asked++;
      await index.before();
      yield* world.db.query(query);
    },
  };
  const catalog = createEdgeCatalog({ ...world.effects, db }, lexicon(), most);
  const noBid = () => catalog.match([{ role: 'user', content: 'item1' }], { bid: () => 1_000_000 }).noBid;
  return { ...world, catalog, index, noBid };
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
  expect([firstWaits, index.asked, noBid()]).toEqual([true, 1, null]);
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

it('What was cut off with its request is begun anew', async () => {
  const { catalog, clock, index } = await worker('cut off');
  index.before = hanging;
  void catalog.refresh();
  await settle();
  index.before = async () => {};
  clock.advance(30_000);
  await catalog.refresh();
  expect(catalog.isReady()).toBe(false);
  clock.advance(2_000);
  await catalog.refresh();
  await settle();
  expect(catalog.isReady()).toBe(true);
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
  expect(index.asked).toBe(1);
});
