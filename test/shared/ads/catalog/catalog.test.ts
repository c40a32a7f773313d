import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../../shared/ads/catalog/catalog.ts';
import { getLexicon } from '../../../../shared/ads/catalog/lexicon.ts';
import type { Database } from '../../../../shared/platform/database.ts';
import { Unavailable } from '../../../../shared/platform/unavailable.ts';
import { useServiceInMemory } from '../../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory({ CAMPAIGN_REFRESH_SECONDS: '1' });
const DAY = 24 * 3600 * 1000;

const pictureOf = (db: Database = service.stack.effects.db) =>
  createCatalog({ ...service.stack.effects, db }, getLexicon());
const finds = (catalog: ReturnType<typeof pictureOf>, text: string) =>
  catalog.match([{ role: 'user', content: text }], { bid: () => 1_000_000 }).candidates.map(({ id }) => id);
const campaign = (keyword: string) => service.campaign({ targetAudience: { keywords: [keyword] } });

describe('createCatalog', () => {
  it('queries each feed once per refresh interval', async () => {
    let queries = 0;
    const db: Database = {
      ...service.stack.effects.db,
      query: (query) => {
        queries++;
        return service.stack.effects.db.query(query);
      },
    };
    const catalog = pictureOf(db);
    await Promise.all([catalog.refresh(), catalog.refresh(), catalog.refresh()]);
    expect(queries).toBe(3);
    const { id } = await campaign('quinzoom');
    await catalog.refresh();
    expect(finds(catalog, 'quinzoom please')).toEqual([]);
    service.clock.advance(1000);
    await catalog.refresh();
    expect(finds(catalog, 'quinzoom please')).toEqual([id]);
    expect(queries).toBe(6);
  });

  it('follows changes of keywords, pauses, and deletions', async () => {
    const catalog = pictureOf();
    const { id } = await campaign('oldzoom');
    const seen = async (text: string) => {
      service.clock.advance(1000);
      await catalog.refresh();
      return finds(catalog, text);
    };
    expect(await seen('oldzoom')).toEqual([id]);
    await service.user()('PATCH', `/campaigns/${id}`, { targetAudience: { keywords: ['newzoom'] } });
    expect(await seen('oldzoom')).toEqual([]);
    expect(await seen('newzoom')).toEqual([id]);
    await service.user()('PATCH', `/campaigns/${id}`, { status: 'cancelled' });
    expect(await seen('newzoom')).toEqual([]);
    await service.user()('PATCH', `/campaigns/${id}`, { status: 'active' });
    expect(await seen('newzoom')).toEqual([id]);
    await service.user()('DELETE', `/campaigns/${id}`);
    expect(await seen('newzoom')).toEqual([]);
  });

  it('ignores old versions from a late index', async () => {
    const { db } = service.stack.effects;
    const { id } = await campaign('latezoom');
    const old: never[] = [];
    for await (const item of db.query({
      table: 'campaigns',
      where: '#owner = :owner AND #item = :item',
      values: { owner: 'alice', item: `campaign#${id}` },
    })) {
      old.push(item as never);
    }
    let answersLate = false;
    const catalog = pictureOf({
      ...db,
      async *query(query) {
        if (answersLate) yield* old;
        else yield* db.query(query);
      },
    });
    await service.user()('PATCH', `/campaigns/${id}`, { targetAudience: { keywords: ['freshzoom'] } });
    await catalog.refresh();
    expect(finds(catalog, 'freshzoom')).toEqual([id]);
    answersLate = true;
    service.clock.advance(1000);
    await catalog.refresh();
    expect(finds(catalog, 'freshzoom')).toEqual([id]);
    expect(finds(catalog, 'latezoom')).toEqual([]);
  });

  it('sees a change written with a clock that is behind', async () => {
    const catalog = pictureOf();
    await catalog.refresh();
    service.clock.advance(-5_000);
    const { id } = await campaign('behindzoom');
    service.clock.advance(6_000);
    await catalog.refresh();
    expect(finds(catalog, 'behindzoom')).toEqual([id]);
  });

  it('is stale while the store is unavailable, and recovers afterwards', async () => {
    const { db } = service.stack.effects;
    let isOut = true;
    const catalog = pictureOf({
      ...db,
      async *query(query) {
        if (isOut) throw new Unavailable('out');
        yield* db.query(query);
      },
    });
    const { id } = await campaign('outzoom');
    await catalog.refresh();
    expect(catalog.match([{ role: 'user', content: 'outzoom' }], { bid: () => 1 }).noBid).toBe('catalog_stale');
    isOut = false;
    await catalog.refresh();
    expect(finds(catalog, 'outzoom')).toEqual([id]);
  });

  it('rebuilds the matching profile of a campaign saved by another version of the service', async () => {
    const { db } = service.stack.effects;
    const { id } = await campaign('elderzoom');
    await db.write({
      table: 'campaigns',
      key: { owner: 'alice', item: `campaign#${id}` },
      update: 'SET #placement = :placement',
      values: { placement: { v: 'older', k: 'nonsense', x: '', t: [], l: '', w: '' } },
    });
    const catalog = pictureOf();
    await catalog.refresh();
    expect(finds(catalog, 'elderzoom')).toEqual([id]);
  });

  it('removes campaigns in a sweep whose tombstones expired while the instance slept', async () => {
    const { db } = service.stack.effects;
    const { id } = await campaign('sleepzoom');
    const catalog = pictureOf();
    await catalog.refresh();
    await service.user()('DELETE', `/campaigns/${id}`);
    await db.write({ table: 'campaigns', key: { owner: 'alice', item: `campaign#${id}` }, remove: true });
    service.clock.advance(2 * DAY);
    await catalog.refresh();
    expect(finds(catalog, 'sleepzoom')).toEqual([]);
  });
});
