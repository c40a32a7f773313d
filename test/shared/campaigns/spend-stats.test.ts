import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../shared/ads/catalog/catalog.ts';
import { getLexicon } from '../../../shared/ads/catalog/lexicon.ts';
import { createSpendStats, type SpendStats } from '../../../shared/campaigns/spend-stats.ts';
import { readConfig } from '../../../shared/platform/config.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { createLog } from '../../../shared/platform/log.ts';
import { noMetrics } from '../../../shared/platform/metrics.ts';
import { createBudgetService } from '../../memory/service.ts';
import type { AnyItem } from '../../memory/untyped-database.ts';
import { createTestClock } from '../../service.ts';

/** The spend stats in the catalog of a bidding instance after each response of the change index. */
async function refreshWith(...responses: AnyItem[][]) {
  let response: AnyItem[] = [];
  const db = {
    get: async () => undefined,
    async *query() {
      yield* response;
    },
  } as Partial<Database> as Database;
  const catalog = createCatalog(
    { db, clock: createTestClock(), config: readConfig({}, true), log: createLog('silent'), metrics: noMetrics },
    getLexicon(),
  );
  const history: SpendStats[] = [];
  for (response of responses) {
    await catalog.refresh();
    history.push(catalog.find('cmp_1').stats);
  }
  return history;
}

const stats = (spent: number, clicks = 0): AnyItem => ({
  ...createSpendStats('cmp_1'),
  item: 'funds#cmp_1',
  spent,
  clicks,
});
const tombstone = { item: 'campaign#cmp_1', id: 'cmp_1', deleted: true, version: 2 };

describe('The spend stats in the catalog', () => {
  it('never decrease if the change index is behind', async () => {
    const history = await refreshWith([stats(5)], [stats(4)], [stats(5, 1)], [stats(5)], [stats(6, 1)]);
    expect(history.map(({ spent, clicks }) => [spent, clicks])).toEqual([
      [5, 0],
      [5, 0],
      [5, 1],
      [5, 1],
      [6, 1],
    ]);
  });

  it('count all clicks and conversions as charged if the version that stored them did not count charged ones', async () => {
    const { chargedClicks, ...before } = stats(5, 3);
    const [first, later] = await refreshWith([before], [{ ...stats(5, 4), chargedClicks: 3 }]);
    expect([first!.chargedClicks, later!.chargedClicks]).toEqual([3, 3]);
    expect(chargedClicks).toBe(0);
    const { chargedConversions, ...beforeConversions }: AnyItem = { ...stats(5, 3), conversions: 2 };
    const both = await refreshWith([beforeConversions], [{ ...beforeConversions, clicks: 4, chargedConversions: 1 }]);
    expect(both.map((one) => one.chargedConversions)).toEqual([2, 1]);
    expect(chargedConversions).toBe(0);
  });

  it('are updated even if fewer clicks are charged than assumed for the previous version', async () => {
    const { chargedClicks, ...before } = stats(5, 3);
    const history = await refreshWith([before], [{ ...stats(6, 3), chargedClicks }]);
    expect(history.map((one) => [one.spent, one.chargedClicks])).toEqual([
      [5, 3],
      [6, 0],
    ]);
  });

  it('are removed with the campaign', async () => {
    const history = await refreshWith([stats(5)], [tombstone]);
    expect(history.map(({ spent }) => spent)).toEqual([5, 0]);
  });

  it('exist from the creation of a campaign', async () => {
    const service = createBudgetService('first');
    const campaign = await service.campaign();
    expect(await service.stats(campaign)).toMatchObject(createSpendStats(campaign.id));
  });
});
