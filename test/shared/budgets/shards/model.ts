import assert from 'node:assert/strict';
import { type Bid, type Issued, isServed } from '../../../../shared/ads/bids/bid.ts';
import { createServing } from '../../../../shared/ads/bids/serve.ts';
import { closeOldDays } from '../../../../shared/budgets/shards/close-shards.ts';
import type { Effects } from '../../../../shared/platform/effects.ts';
import { Unavailable } from '../../../../shared/platform/unavailable.ts';
import { generator } from '../../../../tools/random.ts';
import type { Gate } from '../../../memory/database.ts';
import { interleave, unreliableFault } from '../../../memory/gates.ts';
import { chargedByDay, createBudgetService, kinds } from '../../../memory/service.ts';
import { createTestClock } from '../../../service.ts';
import { type Occasions, watchMoney } from './watch.ts';

const MIDNIGHT = Date.UTC(2026, 10, 21);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Small sizes, so that a budget is opened, widened, and closed several times within a few dozen charges. */
const SIZES = { maxShards: 4, share: 0.5, minImpressions: 1 };
const ACTORS = 6;
const ACTS = 12;
const SETTINGS = { BUDGET_SHARDS: 'true', BID_TTL_SECONDS: '86400' };

class Death extends Error {}

/** A process that crashes at its nth call of the store: before the call, or before the response. */
function mortal(gate: Gate, nth: number, hearsNothing: boolean): Gate {
  let calls = 0;
  return async (asked, act) => {
    const call = ++calls;
    if (call > nth || (call === nth && !hearsNothing)) throw new Death();
    const answer = await gate(asked, act);
    if (call === nth) throw new Death();
    return answer;
  };
}

/**
 * Runs charges, grants, closings, starts of days, budget changes, and deletions on three instances with their own clocks, in an order that
 * depends on the seed. Some actors crash between two calls of the store, some responses are lost, and some transactions have conflicts.
 * Compares the money with the stored rows after every step, and spends all that is left at the end.
 */
export async function playBudgets(seed: number): Promise<Occasions> {
  const random = generator(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  const usd = (least: number, more: number) => (least + upTo(more)) / 1e6;
  const clock = createTestClock(MIDNIGHT - upTo(15) * MINUTE);
  const service = createBudgetService(`budgets ${seed}`, clock, SETTINGS);
  const campaign = await service.campaign({
    budget: usd(60_000, 120_000),
    ...(random() < 0.5 && { dailyBudget: usd(40_000, 80_000) }),
  });
  const watched = watchMoney(service.db, campaign.id, SIZES.share, clock);
  const order = interleave(random, unreliableFault(random, 0.01, 0.03));
  const gate: Gate = (asked, act) => order(asked, () => watched.step(asked, act, random));
  const clocks = [-5_000, 0, 5_000].map((ahead) => ({ ...clock, now: () => clock.now() + ahead }));
  const instances = clocks.map((own) => createServing(service.instance(gate, { clock: own }), SIZES));
  const bids: Issued[] = [];

  const someone = (): Effects => {
    const own = clocks[upTo(3)]!;
    return service.instance(random() < 0.5 ? gate : mortal(gate, 1 + upTo(8), random() < 0.5), { clock: own });
  };
  async function charge(serve: ReturnType<typeof createServing>) {
    const bid = await service.bid(campaign, (500 + upTo(2_000)) / 1_000);
    bids.push(bid);
    return serve(bid);
  }
  async function change() {
    if (random() < 0.3) return service.update(campaign, { dailyBudget: usd(30_000, 90_000) }, someone());
    const { spent, outside } = watched.money();
    const budget = random() < 0.5 ? spent + upTo(outside + 1) : spent + upTo(100_000);
    watched.lowering(budget);
    return service.update(campaign, { budget: budget / 1e6 }, someone());
  }
  const acts: [number, () => Promise<unknown>][] = [
    [0.58, () => charge(instances[upTo(3)]!)],
    [0.84, () => charge(createServing(someone(), SIZES))],
    [0.9, change],
    [0.93, async () => clock.advance(upTo(25) * MINUTE)],
    [0.95, () => closeOldDays(someone(), [campaign.id])],
    [0.96, () => service.update(campaign, { status: random() < 0.3 ? 'paused' : 'active' }, someone())],
    [1, async () => clock.advance(1_000)],
  ];
  /** Ignores crashes, refusals, and campaigns that are already deleted. Other actors find the state that they left. */
  const mayFail = (error: Error) => {
    if (!(error instanceof Death || error instanceof Unavailable || error.message === 'not_found')) throw error;
  };
  const actor = async () => {
    for (let n = 0; n < ACTS; n++) {
      const drawn = random();
      const [, act] = acts.find(([bound]) => drawn < bound)!;
      await act().catch(mayFail);
    }
  };
  let isOver = false;
  /** In every second seed, the campaign is deleted some time after a grant. */
  const remover = async () => {
    while (!isOver && !(watched.isGranting() && random() < 0.3)) await clock.pause();
    await service.remove(campaign, someone()).catch(mayFail);
  };
  const removed = seed % 2 === 0 ? remover() : undefined;
  await Promise.all(Array.from({ length: ACTORS }, actor));
  isOver = true;
  await removed;

  const exhaustions = () => kinds(service.facts(campaign)).filter((kind) => kind === 'budget_exhausted').length;
  const left = await service.lifecycle(campaign);
  if (left) {
    const { spent } = watched.money();
    assert(
      left.status !== 'active' || spent === 0 || spent < left.budget,
      'an active campaign has something left to spend',
    );
    const before = exhaustions();
    const budget = watched.money().spent + 10_000 + upTo(50_000);
    await service.update(campaign, { budget: budget / 1e6, dailyBudget: null, status: 'active' });
    const spender = async () => {
      for (let outcome = ''; outcome !== 'expired'; ) {
        const served = await charge(instances[upTo(3)]!).catch(mayFail);
        outcome = served?.outcome ?? '';
        assert.notEqual(outcome, 'campaign_missing');
      }
    };
    await Promise.all(Array.from({ length: ACTORS }, spender));
    assert.equal(watched.money().spent, budget, 'all of the budget is spent');
    assert.equal(exhaustions(), before + 1, 'and that is told once');
    const { status, pausedReason } = (await service.lifecycle(campaign))!;
    assert.deepEqual([status, pausedReason], ['paused', 'budget']);
  } else {
    clock.advance(DAY);
    await closeOldDays(service.effects, [campaign.id]);
    assert.equal(watched.money().balance.phase, undefined, 'a deleted budget is closed');
  }
  watched.check();
  await audit();
  return watched.occasions;

  /** Compares the spend with the records of the ads. */
  async function audit(): Promise<void> {
    const records = await Promise.all(bids.map(({ id }) => service.db.get('bids', { id }) as Promise<Bid>));
    const served = records.filter((bid) => bid && isServed(bid));
    const days = await service.days(campaign);
    const { spent, impressions } = await service.performance(campaign);
    assert.deepEqual(
      days.filter(({ spend }) => spend > 0).map(({ date, spend }) => [date, spend]),
      [...chargedByDay(served)].sort(),
      'each day has the spend charged on it',
    );
    assert.equal(spent, watched.money().spent);
    assert.equal(impressions, served.length);
  }
}
