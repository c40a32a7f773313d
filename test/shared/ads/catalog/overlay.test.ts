import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCatalog } from '../../../../shared/ads/catalog/catalog.ts';
import { getLexicon } from '../../../../shared/ads/catalog/lexicon.ts';
import { publishSpendStats } from '../../../../shared/campaigns/publish-stats.ts';
import { createSpendStats } from '../../../../shared/campaigns/spend-stats.ts';
import type { Database } from '../../../../shared/platform/database.ts';
import { scaleRuns } from '../../../run-size.ts';
import { createSnapshotService } from './snapshot-service.ts';

type World = Awaited<ReturnType<typeof createSnapshotService>>;

const KEYWORDS = ['item0', 'item1', 'quinzoom', 'running shoes', 'hotel in rome'];
const step = fc.record({
  what: fc.constantFrom('price', 'words', 'cancel', 'activate', 'delete', 'create', 'spend', 'wait', 'refresh'),
  which: fc.nat(20),
  keyword: fc.constantFrom(...KEYWORDS),
  amount: fc.integer({ min: 1, max: 9 }),
});

/** Changes one of the existing campaigns. */
async function change(
  world: World,
  { what, which, keyword, amount }: typeof step extends fc.Arbitrary<infer S> ? S : never,
) {
  const { service, campaigns, clock } = world;
  const at = which % campaigns.length;
  const campaign = campaigns[at]!;
  const update = async (body: object) => {
    campaigns[at] = await service.update(campaign, body);
  };
  if (what === 'price') await update({ maxCpb: amount });
  if (what === 'words') await update({ targetAudience: { keywords: [keyword] } });
  if (what === 'cancel') await update({ status: 'cancelled' });
  if (what === 'activate') await update({ status: 'active' });
  if (what === 'create') campaigns.push(await service.campaign({ targetAudience: { keywords: [keyword] } }));
  if (what === 'delete' && campaigns.length > 1) {
    await service.remove(campaign);
    campaigns.splice(at, 1);
  }
  if (what === 'spend')
    await publishSpendStats(service.effects, 'alice', {
      ...createSpendStats(campaign.id),
      spent: clock.now() % 1e9,
      impressions: amount,
    });
  clock.advance(what === 'wait' ? 20_000 : 1_000);
}

/** The catalog's bids on each keyword, with the spend stats that it has. */
const bidsOf = (catalog: ReturnType<typeof createCatalog>) =>
  KEYWORDS.map((keyword) =>
    catalog
      .match([{ role: 'user', content: `where do i buy ${keyword}` }], {
        bid: (id) => catalog.find(id).campaign.maxCpb,
      })
      .candidates.map((candidate) => JSON.stringify([candidate, catalog.find(candidate.id)]))
      .sort(),
  );

it('bids the same with a snapshot and changes as after reading all campaigns', {
  tags: 'whole',
}, async () => {
  let seed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 8 }),
      fc.array(step, { maxLength: 8 }),
      fc.array(step, { maxLength: 12 }),
      async (before, since, then) => {
        const world = await createSnapshotService(`overlay ${seed++}`);
        for (const one of before) await change(world, one);
        await world.publish();
        for (const one of since) await change(world, one);
        const catalog = createCatalog(world.effects, getLexicon());
        await catalog.refresh();
        expect(world.source()).toBe('snapshot');
        for (const one of then) await (one.what === 'refresh' ? catalog.refresh() : change(world, one));
        await catalog.refresh();
        const withoutSnapshot: Database = {
          ...world.db,
          get: async (table, key) => (table === 'snapshots' ? undefined : world.db.get(table, key)),
        };
        const fresh = createCatalog({ ...world.effects, db: withoutSnapshot }, getLexicon());
        await fresh.refresh();
        expect(bidsOf(catalog)).toEqual(bidsOf(fresh));
      },
    ),
    { numRuns: scaleRuns(25), seed: 17 },
  );
});
