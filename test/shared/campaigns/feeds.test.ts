import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../shared/ads/catalog/catalog.ts';
import { getLexicon } from '../../../shared/ads/catalog/lexicon.ts';
import { type CampaignChange, readChangesSince } from '../../../shared/campaigns/changes.ts';
import { publishSpendStats } from '../../../shared/campaigns/publish-stats.ts';
import { createSpendStats } from '../../../shared/campaigns/spend-stats.ts';
import { readConfig } from '../../../shared/platform/config.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { createBudgetService, OWNER } from '../../memory/service.ts';
import { untyped } from '../../memory/untyped-database.ts';

const spent = (id: string, micros: number) => ({ ...createSpendStats(id), spent: micros, impressions: 1 });

async function createFeedService() {
  const service = createBudgetService('feeds');
  const { clock, db, effects } = service;
  const publishSpend = (id: string, micros: number) => publishSpendStats(effects, OWNER, spent(id, micros));
  const readChanges = async (since: number) => {
    const found: CampaignChange[] = [];
    for await (const change of readChangesSince(effects, since)) found.push(change);
    return found.map((change) => [
      change.kind,
      change.at - clock.now(),
      ...(change.kind === 'stats' ? [change.stats.spent] : []),
    ]);
  };
  /** Stores stats as the previous version wrote them. */
  const storeAsPreviousVersion = async (id: string) => {
    const item = await untyped(db).get('campaigns', { owner: OWNER, item: `funds#${id}` });
    await untyped(db).write({ table: 'campaigns', put: { ...item, feed: 'campaigns' } });
  };
  return { service, clock, db, effects, publishSpend, readChanges, storeAsPreviousVersion };
}

describe('Changes of campaigns and spend stats', () => {
  it('have separate feeds, but are read as one list, oldest first, including stats of the previous version', async () => {
    const { service, clock, db, publishSpend, readChanges, storeAsPreviousVersion } = await createFeedService();
    const campaigns = [];
    for (let n = 0; n < 3; n++) {
      campaigns.push(await service.campaign({ name: `campaign ${n}` }));
      clock.advance(1_000);
    }
    for (const [n, { id }] of campaigns.entries()) {
      await publishSpend(id, n + 1);
      clock.advance(1_000);
    }
    await storeAsPreviousVersion(campaigns[1]!.id);
    await service.update(campaigns[0]!, { maxCpb: 7 });
    const feeds = db.items('campaigns').flatMap(({ item, feed }) => (feed ? `${item.split('#')[0]} in ${feed}` : []));
    expect(new Set(feeds.map((feed) => feed.replace(/\d/, 'n')))).toEqual(
      new Set(['campaign in campaigns', 'funds in spend#n', 'funds in campaigns']),
    );
    expect(await readChanges(0)).toEqual([
      ['campaign', -5_000],
      ['campaign', -4_000],
      ['stats', -3_000, 1],
      ['stats', -2_000, 2],
      ['stats', -1_000, 3],
      ['campaign', 0],
    ]);
  });

  it('are in no feed while a campaign has no spend', async () => {
    const { service, db } = await createFeedService();
    await service.campaign();
    const [stats] = db.items('campaigns').filter(({ item }) => item.startsWith('funds#'));
    expect(stats).toMatchObject({ spent: 0 });
    expect(stats).not.toHaveProperty('feed');
  });

  it('are independent: while the spend feed is throttled, campaigns can be created, changed, and paused', async () => {
    const { service, effects, publishSpend } = await createFeedService();
    const campaign = await service.campaign();
    const refuse = (item: object) => {
      if ('feed' in item && String(item.feed).startsWith('spend#')) throw new Unavailable('throttled');
    };
    const { db } = effects;
    const throttled: Database = {
      ...db,
      write: async (write, returning) => {
        if ('put' in write) refuse(write.put);
        return db.write(write, returning);
      },
      transact: async (writes) => {
        for (const write of writes) if ('put' in write) refuse(write.put);
        return db.transact(writes);
      },
    };
    effects.db = throttled;
    await expect(publishSpend(campaign.id, 1)).rejects.toThrow(Unavailable);
    await service.campaign({ name: 'another' });
    const changed = await service.update(campaign, { maxCpb: 3 });
    expect(await service.update(changed, { status: 'paused' })).toMatchObject({ status: 'paused' });
  });

  it('are read with an overlap at each refresh: ten seconds for campaigns, three for spend', async () => {
    const { service, clock, db, effects } = await createFeedService();
    await service.campaign();
    const queries: string[] = [];
    const recordQuery: Database['query'] = (query) => {
      if (query.index === 'byChange') queries.push(`${query.values.feed} ${clock.now() - Number(query.values.since)}`);
      return db.query(query);
    };
    const config = readConfig({ CAMPAIGN_REFRESH_SECONDS: '1' }, true);
    const catalog = createCatalog({ ...effects, config, db: { ...db, query: recordQuery } }, getLexicon());
    await catalog.refresh();
    queries.length = 0;
    clock.advance(1_000);
    await catalog.refresh();
    expect(queries).toEqual(['campaigns 11000', 'spend#0 4000', 'spend#1 4000']);
  });
});
