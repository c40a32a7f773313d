import { describe, expect, it } from 'vitest';
import type { Bid, Issued } from '../../shared/ads/bids/bid.ts';
import { createServing } from '../../shared/ads/bids/serve.ts';
import { Unavailable } from '../../shared/platform/unavailable.ts';
import { generator } from '../../tools/random.ts';
import { interleave, SHARDS } from '../memory/gates.ts';
import { chargedByDay, createBudgetService, kinds } from '../memory/service.ts';
import { selectSeeds } from '../run-size.ts';
import { createTestClock } from '../service.ts';

const MIDNIGHT = Date.UTC(2026, 10, 21);
const SECOND = 1_000;

/** Retries as a client does after a 503. */
async function insist(serve: ReturnType<typeof createServing>, bid: Issued): Promise<void> {
  try {
    await serve(bid);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    await insist(serve, bid);
  }
}

describe('Instances with clocks five seconds apart, around midnight', () => {
  it('spend exactly the daily budget on both days and pause once a day', {
    tags: 'whole',
  }, async () => {
    for (const seed of selectSeeds(40)) {
      const random = generator(seed);
      const shards = seed % 2 === 0 ? SHARDS : undefined;
      const service = createBudgetService(`clocks ${seed}`, createTestClock(MIDNIGHT - 60 * SECOND), shards?.settings);
      const dailyBudget = 20_000 + Math.floor(random() * 60_000);
      const campaign = await service.campaign({ budget: 100, dailyBudget: dailyBudget / 1e6 });
      const order = interleave(random);
      const gate = shards ? shards.gate(order, random) : order;
      const instances = [-5, 0, 5].map((seconds) => {
        const now = () => service.clock.now() + seconds * SECOND;
        const clock = { ...service.clock, now, sleep: async () => {} }; // a pause would advance the clock of every instance past midnight
        return createServing(service.instance(gate, { clock }), shards?.sizes);
      });
      const bids: Issued[] = [];
      for (let second = -20; second <= 20; second += 2) {
        service.clock.set(MIDNIGHT + second * SECOND);
        const now: Issued[] = [];
        const [count, maxPrice] = shards ? [40, 1_000] : [5, 9_000]; // shards are used only if an impression is a small part of the budget
        for (let index = 0; index < count; index++)
          now.push(await service.bid(campaign, Math.ceil(random() * maxPrice) / 1_000));
        await Promise.all(now.map((bid) => insist(instances[Math.floor(random() * 3)]!, bid)));
        bids.push(...now);
      }
      await service.count();
      const stored = await Promise.all(
        bids.map(({ id }) => service.db.get('bids', { id }) as Promise<Bid | undefined>),
      );
      const charged = chargedByDay(stored);
      expect([...charged.keys()].sort()).toEqual(['2026-11-20', '2026-11-21']);
      for (const [day, amount] of charged) expect(amount, `seed ${seed}, ${day}`).toBe(dailyBudget);
      const days = await service.days(campaign);
      expect(days.map(({ date, spend }) => [date, spend])).toEqual([...charged].sort());
      expect(await service.performance(campaign)).toMatchObject({ spent: 2 * dailyBudget, dayRemaining: 0 });
      expect(kinds(service.facts(campaign)), `seed ${seed}`).toEqual(['created', 'paused', 'paused']);
    }
  });
});

describe('Midnight between bid and retrieval', () => {
  /** A campaign with one impression left for the day, and two bids won just before midnight. */
  async function lateEvening() {
    const service = createBudgetService('late', createTestClock(MIDNIGHT - 2 * SECOND));
    const campaign = await service.campaign({ budget: 1, dailyBudget: 0.004 });
    const bids = [await service.bid(campaign, 4), await service.bid(campaign, 4)] as const;
    const serve = createServing(service.effects);
    return { service, campaign, bids, serve };
  }

  it('charges the day of the retrieval', async () => {
    const { service, campaign, bids, serve } = await lateEvening();
    service.clock.set(MIDNIGHT);
    expect(await serve(bids[0])).toMatchObject({ outcome: 'served', bid: { day: '2026-11-21', charged: 4_000 } });
    expect(await service.performance(campaign)).toMatchObject({ day: '2026-11-21', dayRemaining: 0 });
  });

  it('allows a bid that the previous day had no money for', async () => {
    const { service, campaign, bids, serve } = await lateEvening();
    expect((await serve(bids[0])).outcome).toBe('served');
    expect((await serve(bids[1])).outcome).toBe('expired');
    expect(await service.lifecycle(campaign)).toMatchObject({ status: 'paused', pausedReason: 'daily_budget' });
    service.clock.set(MIDNIGHT);
    expect(await service.lifecycle(campaign)).toMatchObject({ status: 'active', pausedReason: null });
    expect(await serve(bids[1])).toMatchObject({ outcome: 'served', bid: { day: '2026-11-21' } });
    expect(kinds(service.facts(campaign))).toEqual(['created', 'paused', 'paused']);
  });
});

describe('A campaign that changes between bid and ad', () => {
  const change = (body: object) => async (service: ReturnType<typeof createBudgetService>, campaign: { id: string }) =>
    void (await service.update(campaign as never, body));
  const past = '2026-11-20T10:00:00Z';

  it.each([
    ['paused by its user', change({ status: 'paused' }), 'served', 4_000],
    ['paused by its user and out of money', change({ status: 'paused', budget: 0 }), 'expired', 0],
    ['cancelled', change({ status: 'cancelled' }), 'expired', 0],
    ['made a draft', change({ status: 'draft' }), 'expired', 0],
    ['completed', change({ status: 'completed' }), 'expired', 0],
    ['ended by its date', change({ endDate: past }), 'expired', 0],
    ['left without budget', change({ budget: 0 }), 'expired', 0],
    ['left with less than the price', change({ budget: 0.001 }), 'served', 1_000],
    ['renamed', change({ name: 'Renamed' }), 'served', 4_000],
    ['deleted', async (service, campaign) => void (await service.remove(campaign)), 'campaign_missing', 0],
  ] satisfies [string, ReturnType<typeof change>, string, number][])(
    'serves or rejects the bid of a campaign that is %s',
    async (name, happen, outcome, spent) => {
      const service = createBudgetService(name);
      const campaign = await service.campaign();
      const bid = await service.bid(campaign, 4, { validUntil: Date.UTC(2026, 10, 22) });
      await happen(service, campaign);
      service.clock.advance(name === 'ended by its date' ? 61 * 60 * SECOND : 1);
      const late = { ...bid, validUntil: Date.UTC(2026, 10, 22) };
      expect((await createServing(service.effects)(late)).outcome).toBe(outcome);
      expect(await service.performance(campaign)).toMatchObject({ spent, impressions: spent > 0 ? 1 : 0 });
    },
  );

  it('exhausts a campaign paused by its user once, and keeps it paused by its user', async () => {
    const service = createBudgetService('paused and spent');
    const campaign = await service.campaign({ budget: 0.006 });
    const bids = [];
    for (let index = 0; index < 5; index++) bids.push(await service.bid(campaign, 4));
    await service.update(campaign, { status: 'paused' });
    const serve = createServing(service.effects);
    const outcomes = [];
    for (const bid of bids) outcomes.push((await serve(bid)).outcome);
    expect(outcomes).toEqual(['served', 'served', 'expired', 'expired', 'expired']);
    expect(await service.lifecycle(campaign)).toMatchObject({ status: 'paused', pausedReason: 'user' });
    expect(kinds(service.facts(campaign))).toEqual(['created', 'updated', 'paused', 'budget_exhausted']);
  });

  it('sends a new event when a raised budget is exhausted again', async () => {
    const service = createBudgetService('twice');
    const campaign = await service.campaign({ budget: 0.004 });
    const serve = createServing(service.effects);
    const bids = [
      await service.bid(campaign, 4),
      await service.bid(campaign, 4),
      await service.bid(campaign, 4),
    ] as const;
    await serve(bids[0]);
    expect((await serve(bids[1])).outcome).toBe('expired');
    await service.update(campaign, { budget: 0.008 });
    await serve(bids[1]);
    await serve(bids[2]);
    expect(kinds(service.facts(campaign))).toEqual([
      ...['created', 'budget_exhausted', 'paused'],
      ...['updated', 'budget_exhausted', 'paused'],
    ]);
  });
});
