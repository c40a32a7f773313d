import { describe, expect, it } from 'vitest';
import { loadEndpoint } from '../../../infra/local/functions.ts';
import { createBidStore } from '../../../shared/ads/bids/store.ts';
import { type Balance, balanceKey, findBalance } from '../../../shared/budgets/balance.ts';
import { replaceBalance, settle } from '../../../shared/budgets/charge.ts';
import { assertConserved, assertOpening, assertShard, BrokenBudget } from '../../../shared/budgets/invariants.ts';
import { createShards, type PickedShard } from '../../../shared/budgets/shards/charge-shards.ts';
import { closeBalance, closeOldDays } from '../../../shared/budgets/shards/close-shards.ts';
import { creditShard, grantToShard, openShards, shardKey } from '../../../shared/budgets/shards/shard.ts';
import { lambdaHandler } from '../../../shared/http/runtimes/lambda.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { createLog } from '../../../shared/platform/log.ts';
import { micros } from '../../../shared/platform/values/money.ts';
import { SHARDS } from '../../memory/gates.ts';
import { createBudgetService } from '../../memory/service.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { createTestClock, httpEvent } from '../../service.ts';

const DAY = '2026-11-20';
const NEXT_DAY = '2026-11-21';
const closed: Balance = {
  campaignId: 'cmp_1',
  remaining: micros(900),
  spent: micros(100),
  impressions: 25,
  day: DAY,
  dayRemaining: micros(460),
  dailyBudget: micros(500),
  countDay: DAY,
  dayImpressions: 10,
  daySpend: micros(40),
};
const open: Balance = {
  ...closed,
  phase: 'open',
  epoch: 1,
  remaining: micros(880),
  dayRemaining: micros(440),
  granted_0: micros(20),
};

describe('a write of a balance', () => {
  it.each<[string, Balance, Balance]>([
    ['a settlement', closed, settle(closed, micros(4), DAY).balance],
    ['the settlement that takes the last of a day', closed, settle(closed, micros(460), DAY).balance],
    ['a settlement that begins a day', closed, settle(closed, micros(4), NEXT_DAY).balance],
    [
      'a settlement that charges nothing',
      { ...closed, remaining: micros(0), spent: micros(1_000) },
      closedAt(0, 1_000),
    ],
    ['a grant', closed, open],
    [
      'a settlement on a day that the previous release charged without counting',
      { ...closed, countDay: undefined, daySpend: undefined },
      { ...closed, remaining: micros(896), spent: micros(104), dayRemaining: micros(456), daySpend: micros(4) },
    ],
  ])('conserves the budget and the daily budget: %s', (_, before, after) => {
    expect(() => assertConserved(before, after)).not.toThrow();
    expect(() => replaceBalance(before, after)).not.toThrow();
  });

  it.each<[string, Balance, object]>([
    ['loses a micro-dollar of the total', closed, { remaining: 899 }],
    ['makes a micro-dollar of the total', closed, { spent: 99 }],
    ['loses a micro-dollar of the day', closed, { dayRemaining: 459 }],
    ['does not count what it spends', closed, { remaining: 896, spent: 104, dayRemaining: 456 }],
    ['changes the daily budget', closed, { dailyBudget: 501, dayRemaining: 461 }],
    ['begins a day with less than its budget', closed, { day: NEXT_DAY, countDay: NEXT_DAY, daySpend: 0 }],
    ['takes back more than was granted', open, { ...closed, remaining: 901, granted_0: undefined }],
    ['has parts of micro-dollars', { ...closed, remaining: 899.5 as Balance['remaining'] }, { remaining: 899.5 }],
  ])('throws if it %s', (_, before, change) => {
    expect(() => replaceBalance(before, { ...before, ...change } as Balance)).toThrow(BrokenBudget);
  });

  it('leaves an opening without grants and with at most its daily budget', () => {
    const opened: Balance = { ...closed, phase: 'open', epoch: 1 };
    expect(() => assertOpening(opened)).not.toThrow();
    expect(() => assertOpening(open)).toThrow(BrokenBudget);
    expect(() => assertOpening({ ...opened, dayRemaining: micros(461) })).toThrow(BrokenBudget);
  });

  function closedAt(remaining: number, spent: number): Balance {
    return { ...closed, remaining: micros(remaining), spent: micros(spent) };
  }
});

describe('a shard', () => {
  const shard = { ...shardKey({ campaignId: 'cmp_1', epoch: 1, shard: 0 }) };

  it.each([
    ['nothing has arrived', {}, 20],
    ['everything is left', { granted: 20, left: 20 }, 20],
    ['a part is spent', { granted: 20, left: 8, spent: 12 }, 20],
    ['a part has not arrived', { granted: 20, left: 8, spent: 12 }, 30],
  ])('has left or has spent its grants: %s', (_, amounts, granted) => {
    expect(() => assertShard({ ...shard, ...(amounts as object) }, granted)).not.toThrow();
  });

  it.each([
    ['has lost something', { granted: 20, left: 7, spent: 12 }, 20],
    ['has spent more than arrived', { granted: 20, left: 9, spent: 12 }, 20],
    ['owes something', { granted: 20, left: -1, spent: 21 }, 20],
    ['has more than it was granted', { granted: 20, left: 20 }, 19],
    ['has parts of micro-dollars', { granted: 20.5, left: 20.5 }, 30],
  ])('is invalid if it %s', (_, amounts, granted) => {
    expect(() => assertShard({ ...shard, ...(amounts as object) }, granted)).toThrow(BrokenBudget);
  });
});

/** A campaign whose balance is open with one shard, to which 20,000 micro-dollars were granted. */
async function openCampaign(name: string) {
  const service = createBudgetService(name, createTestClock(), SHARDS.settings);
  const campaign = await service.campaign({ budget: 0.1 });
  const balance = () => service.db.item('ledgers', balanceKey(campaign.id))!;
  const id = { campaignId: campaign.id, epoch: 1, shard: 0 };
  await service.db.write(openShards((await findBalance(service.db, campaign.id))!, 1));
  await service.db.write(grantToShard(id, 0, 20_000));
  await service.db.write(creditShard(id, 0, 20_000));
  /** Changes a stored row in a way that the service never does. */
  const damage = (row: object, more: object) =>
    untyped(service.db).write({ table: 'ledgers', put: { ...row, ...more } });
  const shard = () => service.db.item('ledgers', shardKey(id))!;
  const picked = async (): Promise<PickedShard> => {
    const seen = (await findBalance(service.db, campaign.id))!;
    return { ...id, day: seen.day, opening: { balance: seen } };
  };
  return { service, campaign, balance, shard, damage, picked };
}

/** A store whose writes of balances or shards lose one micro-dollar of an amount. */
const losing = (db: Database, attribute: string): Database => ({
  ...db,
  async write(write, returning) {
    const written = await db.write(write, returning);
    if (!written.ok || !written.item || !(attribute in written.item)) return written;
    return { ...written, item: { ...written.item, [attribute]: Number(Reflect.get(written.item, attribute)) - 1 } };
  },
});

describe('shards with lost money', () => {
  it('make closing throw, and the balance keeps its amounts', async () => {
    const { service, campaign, balance, shard, damage } = await openCampaign('damaged shard');
    const { remaining, dayRemaining, spent, granted_0 } = balance();
    await damage(shard(), { left: 19_999 });
    await expect(closeBalance(service.effects, campaign.id)).rejects.toThrow(BrokenBudget);
    expect(balance()).toMatchObject({ phase: 'closing', remaining, dayRemaining, spent, granted_0 });
    await damage(shard(), { left: 20_000 });
    expect(await closeBalance(service.effects, campaign.id)).toMatchObject({ remaining: 100_000, spent: 0 });
  });

  it('do not prevent closing other balances at the end of the day', async () => {
    const { service, campaign, shard, damage, balance } = await openCampaign('damaged before midnight');
    const other = await service.campaign({ name: 'Other' });
    await service.db.write(openShards((await findBalance(service.db, other.id))!, 1));
    await damage(shard(), { left: 19_999 });
    service.clock.advance(24 * 60 * 60 * 1000);
    await expect(closeOldDays(service.effects, [campaign.id, other.id])).rejects.toThrow(BrokenBudget);
    expect(balance().phase).toBe('closing');
    expect((await findBalance(service.db, other.id))!.phase).toBeUndefined();
  });

  it.each([
    ['the balance that a grant leaves', 'remaining', 20_000],
    ['the shard that a grant leaves', 'left', 0],
  ])('are detected at %s', async (_, attribute, arrived) => {
    const { service, picked, shard, damage } = await openCampaign(`losing ${attribute}`);
    const by = { ...service.effects, db: losing(service.db, attribute) };
    if (arrived === 0)
      await untyped(service.db).write({ table: 'ledgers', key: shardKey(await picked()), remove: true });
    else await damage(shard(), { left: 0, spent: 20_000 });
    const found = arrived === 0 ? undefined : (shard() as Parameters<ReturnType<typeof createShards>['refill']>[1]);
    await expect(createShards(by, SHARDS.sizes).refill(await picked(), found, 1_000)).rejects.toThrow(BrokenBudget);
  });

  it('fail the ad request that finds them without a charge, and log the reason', async () => {
    const { service, campaign, shard, damage, balance } = await openCampaign('damaged at an ad');
    const { key, secret } = await service.key();
    const { id } = await service.bid(campaign, 4, { keyId: key.id });
    await damage(shard(), { left: 19_999 });
    service.clock.advance(24 * 60 * 60 * 1000 - (service.clock.now() % (24 * 60 * 60 * 1000))); // the charge closes the day before
    const before = balance();
    const lines: string[] = [];
    const by = { ...service.effects, log: createLog('error', (line) => lines.push(line)) };
    const { event } = httpEvent('GET', `/api/v1/ssp/ad/${id}`, { headers: { 'x-api-key': secret } });
    expect((await lambdaHandler('ssp/ad', await loadEndpoint('ssp/ad', by))(event)).statusCode).toBe(500);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'error', stack: expect.stringContaining('BrokenBudget') }),
    ]);
    expect((await createBidStore(service.effects).find(id))!.state).toBe('issued');
    expect(balance()).toMatchObject({
      remaining: before.remaining,
      spent: before.spent,
      impressions: before.impressions,
    });
  });
});
