import { describe, expect, it } from 'vitest';
import { loadEndpoint } from '../../infra/local/functions.ts';
import { type Issued, isServed } from '../../shared/ads/bids/bid.ts';
import { createServing, type Serving } from '../../shared/ads/bids/serve.ts';
import { createBidStore } from '../../shared/ads/bids/store.ts';
import { findBalance } from '../../shared/budgets/balance.ts';
import { openShards, type ShardSizes } from '../../shared/budgets/shards/shard.ts';
import type { Campaign } from '../../shared/campaigns/campaign.ts';
import { lambdaHandler } from '../../shared/http/runtimes/lambda.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { Unavailable } from '../../shared/platform/unavailable.ts';
import { generator } from '../../tools/random.ts';
import { interleave, SHARDS, unreliableFault } from '../memory/gates.ts';
import { createBudgetService, kinds } from '../memory/service.ts';
import { selectSeeds } from '../run-size.ts';
import { createTestClock, httpEvent } from '../service.ts';

/** Every other seed uses shards. */
const shardsOf = (seed: number) => (seed % 2 === 0 ? SHARDS : undefined);

/** Retries as a client does after a 503. */
async function insist(effects: Effects, bid: Issued, sizes?: ShardSizes): Promise<Serving> {
  for (;;) {
    try {
      const found = await createBidStore(effects).find(bid.id);
      return await createServing(effects, sizes)(found!);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }
}

describe('A store that rejects 30 % of the calls and loses the response of another 10 %', () => {
  it('charges every impression once', { tags: 'whole' }, async () => {
    let openings = 0;
    for (const seed of selectSeeds(100)) {
      const random = generator(seed);
      const shards = shardsOf(seed);
      const service = createBudgetService(`storm ${seed}`, createTestClock(), shards?.settings);
      const budget = Math.ceil(random() * 200_000);
      const campaign = await service.campaign({ budget: budget / 1e6 });
      const bids: Issued[] = [];
      const [count, maxPrice] = shards ? [120, 2_250] : [40, 9_000]; // shards are used only if an impression is a small part of the budget
      for (let index = 0; index < count; index++)
        bids.push(await service.bid(campaign, Math.ceil(random() * maxPrice) / 1_000));
      const order = interleave(random, unreliableFault(random, 0.3, 0.1));
      const instance = service.instance(shards ? shards.gate(order, random) : order);
      // Every bid is retrieved twice concurrently, as by a client that did not wait for the response.
      const outcomes = await Promise.all([...bids, ...bids].map((bid) => insist(instance, bid, shards?.sizes)));
      const wanted = bids.reduce((sum, { price }) => sum + price / 1_000, 0);
      const performance = await service.performance(campaign);
      const stored = await Promise.all(bids.map(({ id }) => service.db.get('bids', { id })));
      const served = stored.filter((bid) => bid !== undefined).filter(isServed);
      openings += performance.epoch ?? 0;
      expect(performance.spent, `seed ${seed}`).toBe(Math.min(budget, wanted));
      expect(served.reduce((sum, bid) => sum + bid.charged, 0)).toBe(performance.spent);
      expect(performance.impressions).toBe(served.length);
      for (const [index, { outcome }] of outcomes.entries()) {
        const isServed = stored[index % bids.length]!.state === 'served';
        expect(outcome).toBe(isServed ? 'served' : 'expired');
      }
      const ends = budget <= wanted ? ['created', 'budget_exhausted', 'paused'] : ['created'];
      expect(kinds(service.facts(campaign)), `seed ${seed}`).toEqual(ends);
    }
    expect(openings).toBeGreaterThan(0);
  });

  it('keeps every budget change during concurrent charges', { tags: 'whole' }, async () => {
    for (const seed of selectSeeds(30)) {
      const random = generator(seed);
      const shards = shardsOf(seed);
      const service = createBudgetService(`changes ${seed}`, createTestClock(), shards?.settings);
      const campaign = await service.campaign({ budget: 0.1 });
      const bids: Issued[] = [];
      const [count, cpm] = shards ? [240, 1] : [60, 4];
      for (let index = 0; index < count; index++) bids.push(await service.bid(campaign, cpm));
      if (shards) {
        await insist(service.effects, bids[0]!); // so that the balance has a current day
        await service.db.write(openShards((await findBalance(service.db, campaign.id))!, 2));
      }
      const order = interleave(random);
      const instance = service.instance(shards ? shards.gate(order, random) : order);
      const change = (body: object) => service.update(campaign, body, instance);
      await Promise.all([
        ...bids.map((bid) => insist(instance, bid, shards?.sizes)),
        change({ budget: 0.05 }),
        change({ dailyBudget: 0.09 }),
        change({ budget: 0.12, description: 'the last word on the budget may be either' }),
        change({ name: 'Another name' }),
      ]);
      const stored = (await service.lifecycle(campaign)) as Campaign;
      const { spent, remaining, dayRemaining, dailyBudget } = await service.performance(campaign);
      expect(spent + remaining, `seed ${seed}`).toBe(stored.budget);
      expect(dailyBudget).toBe(90_000);
      expect(spent + dayRemaining).toBe(90_000);
      expect(stored.name).toBe('Another name');
      // Exhausted campaigns are paused, and paused campaigns are exhausted.
      const used = remaining <= 0 ? 'budget' : dayRemaining <= 0 ? 'daily_budget' : null;
      expect([stored.status, stored.pausedReason], `seed ${seed}`).toEqual([used ? 'paused' : 'active', used]);
    }
  });
});

describe("A user's change concurrent with a charge, in any order of events", { tags: 'whole' }, () => {
  const SEEDS = selectSeeds(100);
  /** Two impressions of 0.004, retrieved while their campaign changes. */
  async function race(seed: number, budget: number, body: object) {
    const service = createBudgetService(`race ${seed}`);
    const campaign = await service.campaign({ budget });
    const bids = [await service.bid(campaign, 4), await service.bid(campaign, 4)];
    const instance = service.instance(interleave(generator(seed)));
    await Promise.all([service.update(campaign, body, instance), ...bids.map((bid) => insist(instance, bid))]);
    const { status, pausedReason } = (await service.lifecycle(campaign))!;
    const { spent } = await service.performance(campaign);
    const exhausted = kinds(service.facts(campaign)).filter((kind) => kind === 'budget_exhausted').length;
    return { status, pausedReason, spent, exhausted };
  }

  it('pauses when a cut meets the last impression, and reports it once', async () => {
    for (const seed of SEEDS) {
      const found = await race(seed, 0.02, { budget: 0.008 });
      expect(found, `seed ${seed}`).toEqual({ status: 'paused', pausedReason: 'budget', spent: 8_000, exhausted: 1 });
    }
  });

  it('stays active when a raise meets the last impression, in any order', async () => {
    for (const seed of SEEDS) {
      const found = await race(seed, 0.006, { budget: 0.02 });
      expect(found, `seed ${seed}`).toMatchObject({ status: 'active', pausedReason: null });
      // Either the raise was in time for both, or the last impression spent what was left before it.
      expect([8_000, 6_000, 4_000]).toContain(found.spent);
    }
  });

  it('never loses a status that its user set', async () => {
    for (const seed of SEEDS) {
      expect(await race(seed, 0.004, { status: 'cancelled' }), `seed ${seed}`).toMatchObject({ status: 'cancelled' });
    }
  });
});

describe('A store that rejects every call', () => {
  it('turns an ad into a clean 503, and the same ad is served and charged after recovery', async () => {
    const service = createBudgetService('out');
    const campaign = await service.campaign();
    const { key, secret } = await service.key();
    const { id } = await service.bid(campaign, 4, { keyId: key.id });
    const request = async (effects: Effects) => {
      const { event } = httpEvent('GET', `/api/v1/ssp/ad/${id}`, { headers: { 'x-api-key': secret } });
      return lambdaHandler('ssp/ad', await loadEndpoint('ssp/ad', effects))(event);
    };
    const { statusCode, headers, body } = await request(
      service.instance(
        interleave(
          () => 0,
          unreliableFault(() => 0, 1, 0),
        ),
      ),
    );
    expect([statusCode, headers!['retry-after'], JSON.parse(body!)]).toEqual([
      503,
      '1',
      {
        statusCode: 503,
        message: 'The service is temporarily unavailable, please try again',
        error: 'Service unavailable',
      },
    ]);
    expect((await request(service.effects)).statusCode).toBe(200);
    expect(await service.performance(campaign)).toMatchObject({ spent: 4_000 });
  });
});
