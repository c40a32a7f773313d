import { describe, expect, it } from 'vitest';
import type { Bid } from '../../shared/ads/bids/bid.ts';
import { createServing } from '../../shared/ads/bids/serve.ts';
import { ledgerStore } from '../../shared/budgets/ledger.ts';
import { fromUsd } from '../../shared/platform/values/money.ts';
import { generator } from '../../tools/random.ts';
import { interleave, SHARDS } from '../memory/gates.ts';
import { createBudgetService, kinds } from '../memory/service.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { selectCases, selectSeeds } from '../run-size.ts';
import { createTestClock } from '../service.ts';

const RETRIEVALS = 200;

/** Prices, and a budget that runs out during the retrievals, by seed. */
function draw(seed: number) {
  const random = generator(seed);
  const cpms = Array.from({ length: RETRIEVALS }, () => Math.ceil(random() * 9_000) / 1_000);
  const total = cpms.reduce((sum, cpm) => sum + cpm * 1_000, 0);
  const budget = Math.max(1, Math.floor(total * (0.05 + 0.9 * random()))) / 1e6;
  return { random, cpms, budget };
}

/** 200 bids of one campaign, retrieved concurrently by three instances. */
async function redeem(seed: number, of: (budget: number) => object, shards?: typeof SHARDS) {
  const { random, cpms, budget } = draw(seed);
  const service = createBudgetService(`edge ${seed}`, createTestClock(), shards?.settings);
  const campaign = await service.campaign(of(budget));
  const bids = [];
  for (const cpm of cpms) bids.push(await service.bid(campaign, cpm));
  const order = interleave(random);
  const gate = shards ? shards.gate(order, random) : order;
  const instances = [1, 2, 3].map(() => createServing(service.instance(gate), shards?.sizes));
  const outcomes = await Promise.all(bids.map((bid, index) => instances[index % 3]!(bid)));
  const stored = await Promise.all(bids.map(({ id }) => service.db.get('bids', { id }) as Promise<Bid | undefined>));
  const charges = stored.flatMap((bid) =>
    bid && 'charged' in bid ? [{ charged: bid.charged, price: bid.price }] : [],
  );
  return { service, campaign, budget: Math.round(budget * 1e6), outcomes, charges };
}

const sum = (charges: { charged: number }[]) => charges.reduce((all, { charged }) => all + charged, 0);

describe('200 concurrent retrievals at the edge of a budget', { tags: 'whole' }, () => {
  it.each([
    [
      'total',
      (budget: number) => ({ budget, dailyBudget: 1_000 }),
      'budget',
      ['created', 'budget_exhausted', 'paused'],
    ],
    ['day', (budget: number) => ({ budget: 1_000, dailyBudget: budget }), 'daily_budget', ['created', 'paused']],
  ])('spend the %s to the micro-dollar and no more, and exhaust it once', async (_, of, pausedReason, facts) => {
    for (const seed of selectSeeds(100)) {
      // Every other seed uses shards.
      const { service, campaign, budget, outcomes, charges } = await redeem(
        seed,
        of,
        seed % 2 === 0 ? SHARDS : undefined,
      );
      const performance = await service.performance(campaign);
      expect(performance.spent, `seed ${seed}`).toBe(budget);
      expect(sum(charges), `seed ${seed}`).toBe(budget);
      expect(performance.impressions).toBe(charges.length);
      expect(outcomes.filter(({ outcome }) => outcome === 'served')).toHaveLength(charges.length);
      expect(outcomes.every(({ outcome }) => outcome === 'served' || outcome === 'expired')).toBe(true);
      // Every impression costs its price, except the last, which costs what was left.
      expect(charges.filter(({ charged, price }) => charged !== price / 1_000).length).toBeLessThanOrEqual(1);
      expect(await service.lifecycle(campaign)).toMatchObject({ status: 'paused', pausedReason });
      expect(kinds(service.facts(campaign)), `seed ${seed}`).toEqual(facts);
    }
  });

  it('are all served and charged to a new day that begins with them', async () => {
    for (const seed of selectSeeds(10)) {
      const { random, cpms } = draw(seed);
      const service = createBudgetService(`midnight ${seed}`);
      const campaign = await service.campaign({ budget: 1_000, dailyBudget: 500 });
      const bids = [];
      service.clock.set(Date.UTC(2026, 10, 20, 23, 59));
      for (const cpm of cpms) bids.push(await service.bid(campaign, cpm));
      service.clock.set(Date.UTC(2026, 10, 21, 0, 0, 1));
      const serve = createServing(service.instance(interleave(random)));
      const outcomes = await Promise.all(bids.map((bid) => serve(bid)));
      expect(outcomes.every(({ outcome }) => outcome === 'served')).toBe(true);
      const spent = bids.reduce((all, { price }) => all + price / 1_000, 0);
      expect(await service.performance(campaign)).toMatchObject({
        spent,
        day: '2026-11-21',
        dayRemaining: 500_000_000 - spent,
      });
    }
  });
});

describe('The same on the DynamoDB stand-in', { tags: 'whole' }, () => {
  const service = useServiceInMemory();

  it.each(selectCases([1, 2]))('spends the budget to the micro-dollar (seed %i)', async (seed) => {
    const { cpms, budget } = draw(seed);
    const { effects } = service.stack;
    const { id } = await service.campaign({ budget, targetAudience: { keywords: [`edge${seed}`] } });
    const key = await service.key();
    const { bidId } = (await service.bid(key, `edge${seed}`)).body;
    const won = (await effects.db.get('bids', { id: bidId }))!;
    const bids = cpms.map((cpm) => ({ ...won, id: effects.ids.uuid(), price: fromUsd(cpm) }));
    await Promise.all(bids.map((bid) => effects.db.write({ table: 'bids', put: bid })));
    const serve = createServing(effects);
    await Promise.all(bids.map((bid) => serve(bid as never)));
    const stored = await effects.db.getAll(
      'bids',
      bids.map((bid) => ({ id: bid.id })),
    );
    const served = stored.filter(({ state }) => state === 'served');
    await service.stack.drain();
    const { body } = await service.user()('GET', `/campaigns/${id}`);
    expect(body).toMatchObject({ spentBudget: budget, status: 'paused', pausedReason: 'budget' });
    expect(body.performance.impressions).toBe(served.length);
    expect(sum(served as { charged: number }[])).toBe(Math.round(budget * 1e6));
    const [day] = await ledgerStore(effects).days(id, '2026-11-20', '2026-11-20');
    expect(day).toMatchObject({ spend: Math.round(budget * 1e6), impressions: served.length });
  });
});
