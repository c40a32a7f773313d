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

async function world() {
  const service = createBudgetService('feeds');
  const { clock, db, effects } = service;
  const tell = (id: string, micros: number) => publishSpendStats(effects, OWNER, spent(id, micros));
  const told = async (since: number) => {
    const found: CampaignChange[] = [];
    for await (const change of readChangesSince(effects, since)) found.push(change);
    return found.map((change) => [
      change.kind,
      change.at - clock.now(),
      ...(change.kind === 'stats' ? [change.stats.spent] : []),
    ]);
  };
  /** Stats as the version before wrote them. */
  const asBefore = async (id: string) => {
    const item = await untyped(db).get('campaigns', { owner: OWNER, item: `funds#${id}` });
    await untyped(db).write({ table: 'campaigns', put: { ...item, feed: 'campaigns' } });
  };
  return { service, clock, db, effects, tell, told, asBefore };
}

describe('Changes of campaigns and of their money', () => {
  it('are in feeds of their own, and come as one, oldest first; what the version before stored among them', async () => {
    const { service, clock, db, tell, told, asBefore } = await world();
    const campaigns = [];
    for (let n = 0; n < 3; n++) {
      campaigns.push(await service.campaign({ name: `campaign ${n}` }));
      clock.advance(1_000);
    }
    for (const [n, { id }] of campaigns.entries()) {
      await tell(id, n + 1);
      clock.advance(1_000);
    }
    await asBefore(campaigns[1]!.id);
    await service.update(campaigns[0]!, { maxCpb: 7 });
    const feeds = db.items('campaigns').flatMap(({ item, feed }) => (feed ? `${item.split('#')[0]} in ${feed}` : []));
    expect(new Set(feeds.map((one) => one.replace(/\d/, 'n')))).toEqual(
      new Set(['campaign in campaigns', 'funds in spend#n', 'funds in campaigns']),
    );
    expect(await told(0)).toEqual([
      ['campaign', -5_000],
      ['campaign', -4_000],
      ['stats', -3_000, 1],
      ['stats', -2_000, 2],
      ['stats', -1_000, 3],
      ['campaign', 0],
    ]);
  });

  it('are of a campaign without money in none: nothing of it is news', async () => {
    const { service, db } = await world();
    await service.campaign();
    const [stats] = db.items('campaigns').filter(({ item }) => item.startsWith('funds#'));
    expect(stats).toMatchObject({ spent: 0 });
    expect(stats).not.toHaveProperty('feed');
  });

  it('hold nobody up but their own: while the feed of money is full, campaigns are made, changed and paused', async () => {
    const { service, effects, tell } = await world();
    const campaign = await service.campaign();
    const refuse = (item: object) => {
      if ('feed' in item && String(item.feed).startsWith('spend#')) throw new Unavailable('throttled');
    };
    const { db } = effects;
    const full: Database = {
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
    effects.db = full;
    await expect(tell(campaign.id, 1)).rejects.toThrow(Unavailable);
    await service.campaign({ name: 'another' });
    const changed = await service.update(campaign, { maxCpb: 3 });
    expect(await service.update(changed, { status: 'paused' })).toMatchObject({ status: 'paused' });
  });

  it('are looked for again at each refresh: those of campaigns ten seconds back, those of money three', async () => {
    const { service, clock, db, effects } = await world();
    await service.campaign();
    const asked: string[] = [];
    const query: Database['query'] = (one) => {
      if (one.index === 'byChange') asked.push(`${one.values.feed} ${clock.now() - Number(one.values.since)}`);
      return db.query(one);
    };
    const config = readConfig({ CAMPAIGN_REFRESH_SECONDS: '1' }, true);
    const catalog = createCatalog({ ...effects, config, db: { ...db, query } }, getLexicon());
    await catalog.refresh();
    asked.length = 0;
    clock.advance(1_000);
    await catalog.refresh();
    expect(asked).toEqual(['campaigns 11000', 'spend#0 4000', 'spend#1 4000']);
  });
});
