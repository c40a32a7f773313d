import { describe, expect, it } from 'vitest';
import { loadWorker } from '../../../../infra/local/functions.ts';
import type { Served } from '../../../../shared/ads/bids/bid.ts';
import { createClickAttempts } from '../../../../shared/ads/bids/click-attempt.ts';
import { createCreatives } from '../../../../shared/ads/bids/creatives.ts';
import { createServing } from '../../../../shared/ads/bids/serve.ts';
import { createBidStore } from '../../../../shared/ads/bids/store.ts';
import type { Campaign } from '../../../../shared/campaigns/campaign.ts';
import { getShownCreative, storeMissingVersion } from '../../../../shared/campaigns/creative-versions.ts';
import { DAY_MS } from '../../../../shared/platform/clock.ts';
import type { Database } from '../../../../shared/platform/database.ts';
import { CLICK, createBudgetService, OWNER } from '../../../memory/service.ts';
import { untyped } from '../../../memory/untyped-database.ts';

const RICH = {
  headline: 'ü'.repeat(200),
  description: 'ß'.repeat(1_000),
  callToAction: 'Buy now',
  landingUrl: `https://shoes.example/?${'a'.repeat(2_000)}`,
  imageUrl: `https://shoes.example/${'i'.repeat(2_000)}`,
  sponsoredBy: 'Shoe & Co',
};

/** A service with one campaign, and helpers to serve and click its ads. */
async function market(seed: string, overrides: object = { creative: RICH }) {
  const service = createBudgetService(seed);
  const campaign = await service.campaign({ budget: 1_000, ...overrides });
  const serve = createServing(service.effects);
  const win = async (of: Campaign = campaign): Promise<Served> => {
    const serving = await serve(await service.bid(of, 4));
    if (serving.outcome !== 'served') throw new Error(serving.outcome);
    return serving.bid;
  };
  const record = (id: string) => untyped(service.db).get('bids', { id });
  /** The landing URL of a click at a new instance without caches. */
  const follow = async (id: string, db: Database = service.db): Promise<string | undefined> => {
    const click = { requestId: 'r', method: 'GET', header: () => 'curl/8', ip: CLICK.ip };
    const attempt = await createClickAttempts({ ...service.effects, db })(id, click);
    return attempt.outcome === 'recorded' ? attempt.bid.creative.landingUrl : undefined;
  };
  const versions = () => service.db.items('campaigns').filter(({ item }) => String(item).startsWith('creative#'));
  const rename = (headline: string) => service.update(campaign, { creative: { headline } });
  return { service, campaign, win, record, follow, versions, rename };
}

describe('the creative of an ad', () => {
  it('is referenced by the bid’s record, which stays within 1 KB with any creative', async () => {
    const { win, record, campaign } = await market('rich');
    const served = await record((await win()).id);
    expect(served).toMatchObject({ state: 'served', creativeVersion: campaign.creativeVersion });
    expect(served).not.toHaveProperty('creative');
    expect(Buffer.byteLength(JSON.stringify(served))).toBeLessThan(1024);
  });

  it('is read once by an instance, regardless of the number of clicks', async () => {
    const { service, win } = await market('once');
    let reads = 0;
    const counting: Database = {
      ...service.db,
      get(table, key) {
        reads++;
        return service.db.get(table, key);
      },
    };
    const withCreative = createCreatives({ ...service.effects, db: counting });
    for (let n = 0; n < 5; n++) {
      const { creative, ...bid } = await win();
      expect((await withCreative(bid))?.creative).toEqual(creative);
    }
    expect(reads).toBe(1);
  });

  it('stays the served version while the ad can be clicked, even if the campaign changes or is deleted', async () => {
    const { service, campaign, win, follow, versions } = await market('outlives');
    const first = await win();
    const moved = await service.update(campaign, { creative: { landingUrl: 'https://other.example/' } });
    const second = await win(moved);
    service.clock.advance(10 * DAY_MS);
    const third = await win(moved);
    await service.remove(campaign);
    service.clock.advance(79 * DAY_MS);
    expect(await follow(first.id)).toBe(RICH.landingUrl);
    service.clock.advance(10 * DAY_MS);
    expect(await follow(first.id)).toBeUndefined(); // its record has expired
    expect(await follow(second.id)).toBeUndefined();
    expect(await follow(third.id)).toBe('https://other.example/');
    expect(versions().map(({ ttl }) => typeof ttl)).toEqual(['number', 'number']);
  });

  it('is not found after its version has expired, even before the store deletes it', async () => {
    const { service, campaign, win, rename } = await market('ended');
    const { creative, ...bid } = await win();
    await rename('Other');
    service.clock.advance(91 * DAY_MS);
    expect((await createCreatives(service.effects)(bid))?.creative).toEqual(creative);
    service.clock.advance(2 * 60 * 60 * 1000);
    expect(await createCreatives(service.effects)(bid)).toBeUndefined();
    expect(campaign.creativeVersion).toBe(bid.creativeVersion);
  });

  it('makes clicks unknown, without an error, once its version is deleted', async () => {
    const { service, win, follow, versions } = await market('gone');
    const { id } = await win();
    for (const { owner, item } of versions())
      await untyped(service.db).write({ table: 'campaigns', key: { owner, item }, remove: true });
    expect(await follow(id)).toBeUndefined();
  });

  it('stores at most 512 characters of a click’s user agent', async () => {
    const { service, win, record } = await market('browser');
    const { id } = await win();
    const click = { requestId: 'r', method: 'GET', header: () => 'b'.repeat(513), ip: CLICK.ip };
    await createClickAttempts(service.effects)(id, click);
    expect((await record(id))?.click.userAgent).toBe('b'.repeat(512));
  });

  it('is kept without expiry when a campaign returns to it', async () => {
    const { campaign, rename, versions } = await market('back');
    await rename('Other');
    const back = await rename(RICH.headline);
    expect(back.creativeVersion).toBe(campaign.creativeVersion);
    const kept = versions().filter(({ ttl }) => ttl === undefined);
    expect(kept.map(({ item }) => item)).toEqual([`creative#${campaign.id}#${campaign.creativeVersion}`]);
  });

  it('keeps its version when other fields of the campaign change', async () => {
    const { service, campaign, versions } = await market('same');
    await service.update(campaign, { name: 'Another name', budget: 7, status: 'paused' });
    expect(versions()).toHaveLength(1);
  });

  it('is evicted from the cache when others need the space', async () => {
    const { service, win } = await market('bounded');
    const { creative: _, ...bid } = await win();
    let reads = 0;
    const get = (async () => {
      reads++;
      return { item: 'creative#', creative: RICH };
    }) as never;
    const withCreative = createCreatives({ ...service.effects, db: { ...service.db, get } });
    for (let n = 0; n <= 1_000; n++) await withCreative({ ...bid, creativeVersion: String(n) });
    await withCreative({ ...bid, creativeVersion: '1000' });
    expect(reads).toBe(1_001);
    await withCreative({ ...bid, creativeVersion: '0' });
    expect(reads).toBe(1_002);
  });
});

describe('data of the previous release', () => {
  /** Removes the fields that code without creative versions does not write. */
  async function before(seed: string) {
    const world = await market(seed);
    const { service, campaign, versions } = world;
    const db = untyped(service.db);
    for (const { owner, item } of versions())
      await db.write({ table: 'campaigns', key: { owner, item }, remove: true } as never);
    const key = { owner: OWNER, item: `campaign#${campaign.id}` };
    await db.write({ table: 'campaigns', key, update: 'REMOVE #creativeVersion' } as never);
    return world;
  }

  it('is served and clicked with the creative in the record', async () => {
    const { win, record, follow } = await before('old');
    const { id } = await win();
    expect(await record(id)).toMatchObject({ creative: RICH });
    expect(await follow(id)).toBe(RICH.landingUrl);
  });

  it('gets a creative version within the hour, which later ads reference', async () => {
    const { service, campaign, win, record, follow } = await before('migrated');
    const old = await win();
    await (await loadWorker('schedules/start-day', service.effects))();
    const { id } = await win();
    expect(await record(id)).toMatchObject({ creativeVersion: campaign.creativeVersion });
    expect([await follow(old.id), await follow(id)]).toEqual([RICH.landingUrl, RICH.landingUrl]);
  });

  it('does not use the version of another creative, which code without versions leaves unchanged', async () => {
    const { service, campaign, win, record } = await market('rolling');
    const item = { owner: OWNER, item: `campaign#${campaign.id}` };
    await service.db.write({
      table: 'campaigns',
      key: item,
      update: 'SET #creative = :creative, #version = :version',
      values: { creative: { ...campaign.creative, headline: 'Newer' }, version: 2 },
    });
    expect(await record((await win()).id)).toMatchObject({ creative: { headline: 'Newer' } });
    await storeMissingVersion(service.effects, campaign); // for an outdated version: rejected
    expect((await service.lifecycle(campaign))?.creativeVersion).toBe(campaign.creativeVersion);
    await storeMissingVersion(service.effects, (await service.lifecycle(campaign))!);
    expect(getShownCreative((await service.lifecycle(campaign))!).creativeVersion).not.toBe(campaign.creativeVersion);
  });

  it('can be clicked as a legacy ad without a reported impression', async () => {
    const { service, campaign, follow } = await before('legacy');
    const { id: _, ...bid } = await service.bid(campaign, 4);
    const place = { ...CLICK, conversation: '', userQuery: '', placement: { type: '', position: '' } };
    const old = await createBidStore(service.effects).issueLegacy(bid, { creative: campaign.creative }, place);
    expect(await follow(old.id)).toBe(RICH.landingUrl);
  });
});
