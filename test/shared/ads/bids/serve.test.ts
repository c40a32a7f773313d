import { describe, expect, it } from 'vitest';
import type { Bid, Issued } from '../../../../shared/ads/bids/bid.ts';
import { createCampaignReader } from '../../../../shared/ads/bids/campaigns-to-charge.ts';
import { createServingCheck } from '../../../../shared/ads/bids/may-serve.ts';
import { createServing } from '../../../../shared/ads/bids/serve.ts';
import type { Campaign } from '../../../../shared/campaigns/campaign.ts';
import { campaignKey } from '../../../../shared/campaigns/items.ts';
import type { Effects } from '../../../../shared/platform/effects.ts';
import { createBudgetService } from '../../../memory/service.ts';
import { untyped } from '../../../memory/untyped-database.ts';

let seeds = 0;
function world() {
  const service = createBudgetService(`serve ${++seeds}`);
  const measured: [string, number | undefined][] = [];
  const metrics: Effects['metrics'] = { add: (name, value) => void measured.push([name, value]), flush() {} };
  const serve = createServing({ ...service.effects, metrics });
  const money = async (campaign: Campaign) => {
    const { spent, impressions, daySpend, dayImpressions } = await service.performance(campaign);
    return { spent, impressions, daySpend, dayImpressions };
  };
  return { ...service, serve, measured, money };
}

describe('serve', () => {
  it('charges and counts a bid once, and then returns the stored result', async () => {
    const { campaign, bid, serve, measured, money, clock, db } = world();
    const running = await campaign();
    const issued = await bid(running, 4);
    clock.set(issued.validUntil - 1);
    const first = await serve(issued);
    expect(first).toMatchObject({ outcome: 'served', bid: { charged: 4_000, state: 'served', servedAt: clock.now() } });
    expect(await serve((await db.get('bids', { id: issued.id })) as Bid)).toMatchObject({ outcome: 'served' });
    expect(await serve(issued)).toMatchObject({ outcome: 'served', bid: { charged: 4_000 } });
    expect(await money(running)).toEqual({ spent: 4_000, impressions: 1, daySpend: 4_000, dayImpressions: 1 });
    expect(measured).toEqual([
      ['Impressions', undefined],
      ['Spend', 0.004],
    ]);
  });

  it('returns expired from the millisecond of expiry, even for a served bid', async () => {
    const { campaign, bid, serve, clock, money } = world();
    const running = await campaign();
    const [taken, left] = [await bid(running, 4), await bid(running, 4)];
    await serve(taken);
    clock.set(taken.validUntil);
    expect(await serve({ ...taken, state: 'served' } as Bid)).toEqual({ outcome: 'expired' });
    expect(await serve(left)).toEqual({ outcome: 'expired' });
    expect(await money(running)).toMatchObject({ impressions: 1 });
  });

  it('charges and counts nothing in test mode', async () => {
    const { campaign, bid, serve, measured, money } = world();
    const running = await campaign();
    const issued = await bid(running, 4, { mode: 'test' });
    expect(await serve(issued)).toMatchObject({ outcome: 'served', bid: { charged: 0 } });
    expect(await money(running)).toMatchObject({ spent: 0, impressions: 0 });
    expect(measured).toEqual([]);
  });

  it('returns campaign_missing if the campaign was deleted or has no ledger', async () => {
    const { campaign, bid, serve, remove, db } = world();
    const running = await campaign();
    const issued = await bid(running, 4);
    await untyped(db).write({ table: 'ledgers', key: { campaignId: running.id, row: 'money' }, remove: true });
    expect(await serve(issued)).toEqual({ outcome: 'campaign_missing' });
    const deleted = await campaign({ name: 'Other' });
    const other = await bid(deleted, 4);
    await remove(deleted);
    expect(await serve(other)).toEqual({ outcome: 'campaign_missing' });
  });

  it('charges the remaining amount, pauses the campaign, and serves no other bid of it', async () => {
    const { campaign, bid, serve, money, lifecycle } = world();
    const running = await campaign({ budget: 0.006 });
    const bids = [await bid(running, 4), await bid(running, 4), await bid(running, 4)];
    expect(await serve(bids[0]!)).toMatchObject({ outcome: 'served', bid: { charged: 4_000 } });
    expect(await serve(bids[1]!)).toMatchObject({ outcome: 'served', bid: { charged: 2_000 } });
    expect(await lifecycle(running)).toMatchObject({ status: 'paused', pausedReason: 'budget' });
    expect(await serve(bids[2]!)).toEqual({ outcome: 'expired' });
    expect(await money(running)).toMatchObject({ spent: 6_000, impressions: 2 });
  });

  it('returns the stored result of the bid that spent the last of the budget, although its campaign is paused', async () => {
    const { campaign, bid, serve, money, lifecycle } = world();
    const running = await campaign({ budget: 0.004 });
    const issued = await bid(running, 4);
    expect(await serve(issued)).toMatchObject({ outcome: 'served' });
    expect(await lifecycle(running)).toMatchObject({ status: 'paused', pausedReason: 'budget' });
    expect(await serve(issued)).toMatchObject({ outcome: 'served', bid: { id: issued.id, charged: 4_000 } });
    expect(await money(running)).toMatchObject({ spent: 4_000, impressions: 1 });
  });

  it('distinguishes a deleted bid from a bid that another request has served', async () => {
    const { campaign, bid, serve, db, money } = world();
    const running = await campaign();
    const gone = await bid(running, 4);
    await untyped(db).write({ table: 'bids', key: { id: gone.id }, remove: true });
    expect(await serve(gone)).toEqual({ outcome: 'expired' });
    expect(await money(running)).toMatchObject({ impressions: 0 });
  });
});

describe('createServingCheck', () => {
  it.each<[string, object, boolean]>([
    ['is active', {}, true],
    ['was paused by its user', { status: 'paused', pausedReason: 'user' }, true],
    ['was paused because its budget is spent', { status: 'paused', pausedReason: 'daily_budget' }, false],
    ['was cancelled', { status: 'cancelled', pausedReason: 'user' }, false],
    ['has no landing page', { creative: { headline: 'x', description: '', callToAction: '', landingUrl: '' } }, false],
  ])('depends on the state of the campaign, which %s', async (_, changes, expected) => {
    const { effects, campaign, bid } = world();
    const running = await campaign();
    const issued = await bid(running, 4);
    expect(await createServingCheck(effects)(issued, { ...running, ...changes } as Campaign)).toBe(expected);
  });

  it('reads the publisher’s blocks only if the campaign changed since the auction', async () => {
    const { effects, campaign, bid } = world();
    const running = await campaign();
    let reads = 0;
    const get: typeof effects.db.get = async () => {
      reads++;
      return { id: 'key', blockedDomains: ['shoes.example'] } as never;
    };
    const mayServe = createServingCheck({ ...effects, db: { ...effects.db, get } });
    const changed = { ...running, creative: { ...running.creative, landingUrl: 'https://shoes.example/' } };
    const issued = await bid(running, 4);
    expect(await mayServe({ ...issued, campaignVersion: running.version }, changed)).toBe(true);
    expect(await mayServe(issued, changed)).toBe(true);
    expect(reads).toBe(0);
    expect(await mayServe({ ...issued, campaignVersion: running.version - 1 }, changed)).toBe(false);
    expect(reads).toBeGreaterThan(0);
  });

  it('requires a landing page in the bid’s own creative', async () => {
    const { effects, campaign, bid } = world();
    const running = await campaign();
    const shown = { ...(await bid(running, 4)), exchange: { secret: 's', billing: 'burl' } } as unknown as Issued;
    const gone = { ...running, creative: { ...running.creative, landingUrl: '' } };
    const mayServe = createServingCheck(effects);
    expect(await mayServe({ ...shown, creative: running.creative }, gone)).toBe(true);
    expect(await mayServe({ ...shown, creativeVersion: 'v1' }, gone)).toBe(true);
    expect(await mayServe({ ...shown, creative: gone.creative }, running)).toBe(false);
  });
});

describe('createCampaignReader', () => {
  /** A campaign reader on a database that counts reads. */
  async function reading() {
    const { effects, campaign, bid, clock, db } = world();
    const running = await campaign();
    const issued = await bid(running, 4);
    let reads = 0;
    const get: typeof effects.db.get = (table, key) => {
      reads++;
      return effects.db.get(table, key);
    };
    const campaignOf = createCampaignReader({ ...effects, db: { ...effects.db, get } });
    /** Changes the stored campaign. */
    const change = async (fields: object) => {
      const key = campaignKey(running.owner, running.id);
      await untyped(db).write({ table: 'campaigns', put: { ...(await db.get('campaigns', key)), ...fields } });
    };
    const budget = { balance: {} } as Parameters<typeof campaignOf>[1] & object;
    return { campaignOf, issued, budget, clock, reads: () => reads, change };
  }

  it('reads the campaign for every charge of its balance', async () => {
    const { campaignOf, issued, reads } = await reading();
    for (let n = 0; n < 2; n++) expect(await campaignOf(issued)).toMatchObject({ id: issued.campaignId });
    expect(reads()).toBe(2);
  });

  it('reads the campaign once a second per opening of its shards', async () => {
    const { campaignOf, issued, budget, clock, reads } = await reading();
    const begun = clock.now();
    await campaignOf(issued, budget);
    clock.set(begun + 999);
    expect(await campaignOf(issued, budget)).toMatchObject({ id: issued.campaignId });
    expect(reads()).toBe(1);
    clock.set(begun + 1_000);
    await campaignOf(issued, budget);
    expect(reads()).toBe(2);
    await campaignOf(issued, { ...budget });
    expect(reads()).toBe(3);
  });

  it.each([
    ['is not active', { status: 'paused' }],
    ['may show nothing', { creative: { headline: 'x', landingUrl: '' } }],
  ])('reads the campaign again while it %s, so that the cache never prevents serving', async (_, fields) => {
    const { campaignOf, issued, budget, reads, change } = await reading();
    await change(fields);
    const before = reads();
    for (let n = 0; n < 2; n++) await campaignOf(issued, budget);
    expect(reads() - before).toBe(2);
  });
});
