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

/** A market with one campaign, and what becomes of its ads. */
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
  /** Where a click leads, at an instance that has read nothing yet. */
  const follow = async (id: string, db: Database = service.db): Promise<string | undefined> => {
    const click = { requestId: 'r', method: 'GET', header: () => 'curl/8', ip: CLICK.ip };
    const attempt = await createClickAttempts({ ...service.effects, db })(id, click);
    return attempt.outcome === 'recorded' ? attempt.bid.creative.landingUrl : undefined;
  };
  const versions = () => service.db.items('campaigns').filter(({ item }) => String(item).startsWith('creative#'));
  const rename = (headline: string) => service.update(campaign, { creative: { headline } });
  return { service, campaign, win, record, follow, versions, rename };
}

describe('The creative of an ad', () => {
  it('is named by its record, which stays within 1 KB with any creative', async () => {
    const { win, record, campaign } = await market('rich');
    const served = await record((await win()).id);
    expect(served).toMatchObject({ state: 'served', creativeVersion: campaign.creativeVersion });
    expect(served).not.toHaveProperty('creative');
    expect(Buffer.byteLength(JSON.stringify(served))).toBeLessThan(1024);
  });

  it('is read once by an instance, however many of its ads are clicked', async () => {
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

  it('is the one it was handed out with, through changes and the deletion of its campaign, for as long as it may be clicked', async () => {
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
    expect(await follow(first.id)).toBeUndefined(); // its record has ended
    expect(await follow(second.id)).toBeUndefined();
    expect(await follow(third.id)).toBe('https://other.example/');
    expect(versions().map(({ ttl }) => typeof ttl)).toEqual(['number', 'number']);
  });

  it('is not read once its version has ended, though the store has not forgotten it', async () => {
    const { service, campaign, win, rename } = await market('ended');
    const { creative, ...bid } = await win();
    await rename('Other');
    service.clock.advance(91 * DAY_MS);
    expect((await createCreatives(service.effects)(bid))?.creative).toEqual(creative);
    service.clock.advance(2 * 60 * 60 * 1000);
    expect(await createCreatives(service.effects)(bid)).toBeUndefined();
    expect(campaign.creativeVersion).toBe(bid.creativeVersion);
  });

  it('leads nobody on once its version is gone, and is no error', async () => {
    const { service, win, follow, versions } = await market('gone');
    const { id } = await win();
    for (const { owner, item } of versions())
      await untyped(service.db).write({ table: 'campaigns', key: { owner, item }, remove: true });
    expect(await follow(id)).toBeUndefined();
  });

  it('keeps no more than 512 characters of the browser that a click names', async () => {
    const { service, win, record } = await market('browser');
    const { id } = await win();
    const click = { requestId: 'r', method: 'GET', header: () => 'b'.repeat(513), ip: CLICK.ip };
    await createClickAttempts(service.effects)(id, click);
    expect((await record(id))?.click.userAgent).toBe('b'.repeat(512));
  });

  it('stays for good when a campaign comes back to it', async () => {
    const { campaign, rename, versions } = await market('back');
    await rename('Other');
    const back = await rename(RICH.headline);
    expect(back.creativeVersion).toBe(campaign.creativeVersion);
    const kept = versions().filter(({ ttl }) => ttl === undefined);
    expect(kept.map(({ item }) => item)).toEqual([`creative#${campaign.id}#${campaign.creativeVersion}`]);
  });

  it('is one version, whatever else changes', async () => {
    const { service, campaign, versions } = await market('same');
    await service.update(campaign, { name: 'Another name', budget: 7, status: 'paused' });
    expect(versions()).toHaveLength(1);
  });

  it('makes room for others in an instance’s memory', async () => {
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

describe('What the version before stored', () => {
  /** Takes from a campaign what code without versions does not write. */
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

  it('is served and clicked with its texts in the record', async () => {
    const { win, record, follow } = await before('old');
    const { id } = await win();
    expect(await record(id)).toMatchObject({ creative: RICH });
    expect(await follow(id)).toBe(RICH.landingUrl);
  });

  it('gets its version by the hour, and ads name it from then on', async () => {
    const { service, campaign, win, record, follow } = await before('migrated');
    const old = await win();
    await (await loadWorker('schedules/start-day', service.effects))();
    const { id } = await win();
    expect(await record(id)).toMatchObject({ creativeVersion: campaign.creativeVersion });
    expect([await follow(old.id), await follow(id)]).toEqual([RICH.landingUrl, RICH.landingUrl]);
  });

  it('is no version of another creative: code without versions leaves their name as it was', async () => {
    const { service, campaign, win, record } = await market('rolling');
    const item = { owner: OWNER, item: `campaign#${campaign.id}` };
    await service.db.write({
      table: 'campaigns',
      key: item,
      update: 'SET #creative = :creative, #version = :version',
      values: { creative: { ...campaign.creative, headline: 'Newer' }, version: 2 },
    });
    expect(await record((await win()).id)).toMatchObject({ creative: { headline: 'Newer' } });
    await storeMissingVersion(service.effects, campaign); // of the version that was: refused
    expect((await service.lifecycle(campaign))?.creativeVersion).toBe(campaign.creativeVersion);
    await storeMissingVersion(service.effects, (await service.lifecycle(campaign))!);
    expect(getShownCreative((await service.lifecycle(campaign))!).creativeVersion).not.toBe(campaign.creativeVersion);
  });

  it('is clicked as a legacy ad too, without its impression', async () => {
    const { service, campaign, follow } = await before('legacy');
    const { id: _, ...bid } = await service.bid(campaign, 4);
    const place = { ...CLICK, conversation: '', userQuery: '', placement: { type: '', position: '' } };
    const old = await createBidStore(service.effects).issueLegacy(bid, { creative: campaign.creative }, place);
    expect(await follow(old.id)).toBe(RICH.landingUrl);
  });
});
